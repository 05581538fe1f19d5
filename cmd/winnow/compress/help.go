package compress

// Help is the long help of the command.
const Help = `Shortens what is longer than the context that a model is trained with.

Without a file it makes proposals: for each segment of more than --to tokens that
is not rejected, what may be left out, and what stands for it. Nothing is changed
by that. What you accept (accept, or C on the screen) is exported compressed; the
stored messages stay as they are. What you accepted, rejected or changed stays,
also when it is run again or is stale; --again replaces it, and winnow undo brings
it back. Segments that nothing can be done for are named with
the reason, and the exit status is 3.

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

--by clear and --by extract ask nobody. With --by llm the model of [llm] is asked;
each answer is kept before it is used, so that none is asked for twice.

With --json, the counts of segments add up: "under_target", "proposed", "failed"
(with "reasons"), "kept", "changed_meanwhile" and "left" are all "segments"; those
of rows are "under_target", "compressed", "kept" and "lost". "unfit" lists what
failed; of files, each such row is an object of its own, in front of the counts.`

// Examples are those of the help.
const Examples = `  winnow compress --to 32000 --dry-run
  winnow compress --to 32000 --by clear --filter 'status:approved'
  winnow compress show 3f2a91bc
  winnow compress accept --filter 'status:approved score>=0.8'
  winnow compress train.jsonl -o short.jsonl --by extract --to 16000
  winnow compress runs/ -o runs_compressed --compat --by llm --config compression.yaml`

// JudgeHelp is what the help says of all commands that judge proposals.
const JudgeHelp = `.

With --filter it is about the segments that pass Q whose proposals nobody judged
yet (of reset: that somebody judged), or those that compression: in Q names. On a
terminal it first says how many these are, and asks; --yes skips the question. If
one that is named has nothing to judge, none is judged. What is over the target or
has findings is not accepted by --filter alone: look at it, or say --all. One "winnow undo" takes it
all back.`
