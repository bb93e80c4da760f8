package main

// A plate is the part of the whole plate that one rank has: rows from to to, in blocks with a frame around them.
type plate struct {
	cfg         *config
	rank, ranks int
	from, to    int
	blocks      [][]*block // frame included; inner visits the others
	residual    float64    // the largest change of a cell anywhere, in the last step for which it was asked
}

// newPlate returns the share of rank. The rows are dealt out evenly, whatever the size of the blocks: the values do not
// depend on where blocks begin.
func newPlate(cfg *config, rank, ranks int) *plate {
	p := &plate{cfg: cfg, rank: rank, ranks: ranks, from: cfg.rows * rank / ranks, to: cfg.rows * (rank + 1) / ranks}
	heights, widths := framed(p.to-p.from, cfg.block), framed(cfg.cols, cfg.block)
	for _, h := range heights {
		var row []*block
		for _, w := range widths {
			row = append(row, newBlock(h, w))
		}
		p.blocks = append(p.blocks, row)
	}
	p.heatRim()
	return p
}

// framed cuts n cells into pieces of size, with a piece of one cell at either end.
func framed(n, size int) []int {
	pieces := []int{1}
	for ; n > 0; n -= size {
		pieces = append(pieces, min(n, size))
	}
	return append(pieces, 1)
}

// heatRim sets the frame where it is the rim of the whole plate. Elsewhere it stays zero, as the cells are that it will
// hold copies of.
func (p *plate) heatRim() {
	at := func(row, col int) float64 { // −1 and rows, −1 and cols are the rim
		return temperature(p.cfg.sources, float64(col+1)/float64(p.cfg.cols+1), float64(row+1)/float64(p.cfg.rows+1))
	}
	top, bottom := p.blocks[0], p.blocks[len(p.blocks)-1]
	for c, col := 1, 0; c < len(top)-1; c++ {
		for i := range top[c].cols {
			if p.rank == 0 {
				top[c].cells[i] = at(-1, col)
			}
			if p.rank == p.ranks-1 {
				bottom[c].cells[i] = at(p.cfg.rows, col)
			}
			col++
		}
	}
	row := p.from
	for _, line := range p.blocks[1 : len(p.blocks)-1] {
		left, right := line[0], line[len(line)-1]
		for i := range left.rows {
			left.cells[i], right.cells[i] = at(row, -1), at(row, p.cfg.cols)
			row++
		}
	}
}

// inner visits the blocks inside the frame, row by row: the serial order. Rows and columns are numbered from 1.
func (p *plate) inner(visit func(r, c int, b *block)) {
	for r := 1; r < len(p.blocks)-1; r++ {
		for c := 1; c < len(p.blocks[r])-1; c++ {
			visit(r, c, p.blocks[r][c])
		}
	}
}

// relax makes one step of block (r, c).
func (p *plate) relax(r, c int) {
	p.blocks[r][c].relax(p.blocks[r-1][c], p.blocks[r][c-1], p.blocks[r][c+1], p.blocks[r+1][c])
}

// largestChange returns the largest change of the last step on this rank.
func (p *plate) largestChange() (most float64) {
	p.inner(func(_, _ int, b *block) { most = max(most, b.change) })
	return most
}

// cells returns all cells of this rank, row by row.
func (p *plate) cells() []float64 {
	var all []float64
	for r := 1; r < len(p.blocks)-1; r++ {
		line := p.blocks[r][1 : len(p.blocks[r])-1]
		for i := range line[0].rows {
			for _, b := range line {
				all = append(all, b.row(i)...)
			}
		}
	}
	return all
}
