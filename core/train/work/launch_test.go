package work

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// launch begins processes as launchers do, in sessions of their own, that do not end when
// they are asked to: for an argument "apart=FILE" one, "bare=FILE" one without the
// environment of the run. Their numbers go into the files.
func launch(args []string) error {
	for _, arg := range args {
		name, path, _ := strings.Cut(arg, "=")
		if name != "apart" && name != "bare" {
			continue
		}
		cmd := exec.Command(os.Args[0], "deaf=")
		if name == "bare" {
			cmd.Env = []string{"WINNOW_TEST_TRAINER=1"}
		}
		Detach(cmd)
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(strconv.Itoa(cmd.Process.Pid)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// marked notes a mark for a run, and returns it.
func (w *workshop) marked(id int64) string {
	n := note{mark: markName + "=" + w.t.Name()}
	w.do(n.write(w.Place(id).process()))
	return n.mark
}
