# {{label .Name}}: fine-tuning at OpenAI. "weight" on each assistant message says
# whether it is trained. The data leaves this machine{{if not .Redacted}}: secrets were not looked for{{end}}.
#   pip install openai && python recipes/openai.py
{{template "openai" .}}
{{- range .Train.Files}}
training = upload({{quote .}})
{{- if $.Eval.Files}}
validation = upload({{quote (index $.Eval.Files 0)}})
{{- end}}
job = client.fine_tuning.jobs.create(model=MODEL, training_file=training{{if $.Eval.Files}}, validation_file=validation{{end}})
print({{quote .}}, job.id)
{{- end}}
