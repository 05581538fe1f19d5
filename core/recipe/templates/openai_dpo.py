# {{label .Name}}: preference fine-tuning at OpenAI, which takes texts only and no
# new customers. Together and Fireworks take the same file. The data leaves this machine{{if not .Redacted}}: secrets were not looked for{{end}}.
#   pip install openai && python recipes/openai_dpo.py
from pathlib import Path

from openai import OpenAI

ROOT = Path(__file__).resolve().parent.parent
# The longest prompt with an answer has about {{.Longest}} tokens: the model must take that many.
MODEL = "gpt-4.1-mini-2025-04-14"

client = OpenAI()


def upload(name):
    with open(ROOT / name, "rb") as f:
        return client.files.create(file=f, purpose="fine-tune").id


# A job takes one file.
{{- range .Train.Files}}
training = upload({{quote .}})
{{- if $.Eval.Files}}
validation = upload({{quote (index $.Eval.Files 0)}})
{{- end}}
job = client.fine_tuning.jobs.create(model=MODEL, method={"type": "dpo", "dpo": {"hyperparameters": {"beta": 0.1}}}, training_file=training{{if $.Eval.Files}}, validation_file=validation{{end}})
print({{quote .}}, job.id)
{{- end}}
