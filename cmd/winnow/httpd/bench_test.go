package httpd

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// BenchmarkPosts sends sessions of 2 KB whose import is not waited for, as hooks do,
// while what came before is imported.
func BenchmarkPosts(b *testing.B) {
	p := start(b, b.TempDir(), Limits{}, false, nil)
	line := fmt.Sprintf("{\"role\":\"user\",\"content\":%q}\n", strings.Repeat("word ", 100))
	body := strings.Repeat(line, 4)
	var n atomic.Int64
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := n.Add(1)
			status, a := p.post(fmt.Sprintf("wait=0&agent_id=a%d&session=s%d", i%3, i), strings.NewReader(body))
			if status != http.StatusAccepted && status != http.StatusOK {
				b.Errorf("%d %+v", status, a)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "posts/s")
}
