package mpi

import "errors"

// The calls on several requests take completed ones out of the caller's slice by setting them to nil, so that they can
// be repeated on the same slice until nothing is left. Nil entries are skipped. Where statuses are wanted, statuses must be
// as long as rs; where not, it may be nil.

// Waitall waits until all of rs are complete, stores their statuses, and returns their errors joined: each is also in its
// status (MPI 4.1, 3.7.5).
func Waitall(rs []*Request, statuses []Status) error {
	if err := checkStatuses("Waitall", rs, statuses); err != nil {
		return err
	}
	var errs []error
	for i, r := range rs {
		st, err := r.Wait()
		if err != nil {
			errs = append(errs, err)
		}
		if statuses != nil {
			statuses[i] = st
		}
		rs[i] = nil
	}
	return errors.Join(errs...)
}

// Testall does what [Waitall] does if all of rs are complete, and otherwise nothing. It returns whether they are
// (MPI 4.1, 3.7.5).
func Testall(rs []*Request, statuses []Status) (bool, error) {
	for _, r := range rs {
		if r != nil && !r.done.Load() {
			return false, nil
		}
	}
	return true, Waitall(rs, statuses)
}

// Waitany waits until one of rs is complete, and returns its index, status and error. The index is [Undefined] if there
// is none to wait for (MPI 4.1, 3.7.5).
func Waitany(rs []*Request) (int, Status, error) {
	for {
		if i, st, done, err := Testany(rs); done {
			return i, st, err
		}
		if err := awaitAny(rs); err != nil {
			return Undefined, emptyStatus, err
		}
	}
}

// Testany returns index, status and error of one complete request of rs, and whether there is one. With none to wait for,
// it says true with index [Undefined] (MPI 4.1, 3.7.5).
func Testany(rs []*Request) (int, Status, bool, error) {
	none := true
	for i, r := range rs {
		if r == nil {
			continue
		}
		none = false
		if r.done.Load() {
			r.observed()
			var st Status
			err := r.result(&st)
			rs[i] = nil
			return i, st, true, err
		}
	}
	return Undefined, emptyStatus, none, nil
}

// Waitsome waits until at least one of rs is complete, and returns the indices of all that are; statuses[k] is that of
// rs[index[k]]. With none to wait for, it returns nil (MPI 4.1, 3.7.5).
func Waitsome(rs []*Request, statuses []Status) ([]int, error) {
	for {
		index, err := Testsome(rs, statuses)
		if len(index) > 0 || err != nil {
			return index, err
		}
		pending := false
		for _, r := range rs {
			pending = pending || r != nil
		}
		if !pending {
			return nil, nil
		}
		if err := awaitAny(rs); err != nil {
			return nil, err
		}
	}
}

// Testsome returns the indices of the complete requests of rs, perhaps none; statuses[k] is that of rs[index[k]]. Errors
// are joined (MPI 4.1, 3.7.5).
func Testsome(rs []*Request, statuses []Status) ([]int, error) {
	if err := checkStatuses("Testsome", rs, statuses); err != nil {
		return nil, err
	}
	var index []int
	var errs []error
	for i, r := range rs {
		if r == nil || !r.done.Load() {
			continue
		}
		r.observed()
		var st Status
		if err := r.result(&st); err != nil {
			errs = append(errs, err)
		}
		if statuses != nil {
			statuses[len(index)] = st
		}
		index = append(index, i)
		rs[i] = nil
	}
	return index, errors.Join(errs...)
}

// awaitAny returns when one of rs is complete. Its waiter is not recycled: requests that complete at the same time may
// still wake it afterwards.
func awaitAny(rs []*Request) error {
	w := newWaiter()
	var p *process
	var err error
	armed := 0
	for _, r := range rs {
		if r == nil {
			armed++
			continue
		}
		var ok bool
		if err = r.checkFreed("Waitany"); err == nil {
			ok, err = r.arm(w)
		}
		if !ok {
			break
		}
		p = r.proc
		armed++
	}
	if armed == len(rs) && p != nil {
		w.park(p)
	}
	for _, r := range rs[:armed] {
		if r != nil {
			r.disarm(w)
		}
	}
	return err
}

func checkStatuses(verb string, rs []*Request, statuses []Status) error {
	if statuses != nil && len(statuses) < len(rs) {
		return misuse(verb, ErrCount, "%d statuses for %d requests", len(statuses), len(rs))
	}
	return nil
}
