package memories

const help = `Shows what was learned in segments: rules of the user, pitfalls, procedures and
facts, each with the quotes that prove it. "winnow extract" looks for them; none
leaves winnow before a person approved it.

Without a subcommand it lists all but the archived ones. A memory is archived
while no segment that it is from is there, unchanged and approved; an approved one
is stale then, and not exported. Undo of the verdict or the cut brings both back.

Filters have the fields status (proposed, approved, stale, rejected, archived),
kind, tag, agent, flag (from_tools, directive, link, hidden, any), topic, model,
session, segment, grade and created; other words are looked for in the text. A
value may be several with commas between them, a minus in front means the others.`

const examples = `  winnow memories --filter 'status:proposed grade>=0.6'
  winnow memories approve 1a2b3c4d
  winnow memories add --kind rule --segment 3f2a91bc --cite 3 'Never edit generated files by hand'
  winnow memories export -o AGENTS.md --as agents`

const extractHelp = `Looks in approved segments for what was learned and proposes it as memories, which
"winnow memories" and the screen (M) show. Nothing is exported before a person
approved it.

A segment is asked about once, and again after it changed; what was found is kept
together with that. With --by offline, rules find it in recorded words, and
nothing is sent anywhere. With --by llm the model of [memory] is asked; with
--by auto, if [memory] names one. Secrets are replaced before anything is sent
unless [memory] redact is false. [memory] from and filter say which segments.

Exit status 1 means that nothing could be done, 3 that some segments failed: the
next run asks about them again.`

const extractExamples = `  winnow extract
  winnow extract --by llm --limit 20
  winnow extract --filter type:code --again`
