package reduce

var ReductionOf = reductionOf
