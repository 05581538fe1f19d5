package httpd

import (
	"context"
	"time"
)

// CatchUp imports what an earlier server took and did not import, without waiting for
// what fails. It returns how many files were imported, and how many were not.
func (s *Server) CatchUp(ctx context.Context) (done, failed int, err error) {
	l := s.loader
	l.once = true
	if err := s.Resume(ctx); err != nil {
		return 0, 0, err
	}
	all := len(l.queue)
	for ctx.Err() == nil {
		wave, _ := l.wave(time.Now())
		if len(wave) == 0 {
			break
		}
		l.try(ctx, wave)
	}
	s.receipts.write(context.WithoutCancel(ctx))
	return all - len(l.queue), len(l.queue), ctx.Err()
}
