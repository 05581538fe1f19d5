package compress

// Help is the long help of the command.
const Help = `Shortens what is longer than the context that a model is trained with.

With a FILE of Hermes trajectories, or a FOLDER with *.jsonl in it, it writes
another, with -o: as many rows as there were, in their order, each shortened if
it has more tokens than --to says. A row that cannot be read, or that nothing can
be done for, stays as it is; standard error names it with the reason, and the
exit status is 3. The output appears only when it is complete.

With --compat it does the job of the published trajectory_compressor.py, with its
YAML file (--config), its names of files and its metrics. It sums up by a model,
which has to be asked for: --by llm. What that program spoils is spoiled only if
--as-published names it: midpoint (head and tail are told apart by the middle),
drop (rows that take too long or are broken vanish), filler (a fixed sentence
stands for a summary that failed).

--by clear and --by extract ask nobody. See docs/compression.md.`

// Examples are those of the help.
const Examples = `  winnow compress train.jsonl -o short.jsonl --by extract --to 16000
  winnow compress runs/ -o runs_compressed --compat --by llm --config compression.yaml
  winnow compress train.jsonl --dry-run --by llm --to 32000`
