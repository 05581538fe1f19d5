# {{label .Name}}: preference fine-tuning at OpenAI, which takes texts only and no
# new customers. Together and Fireworks take the same file. The data leaves this machine{{if not .Redacted}}: secrets were not looked for{{end}}.
#   pip install openai && python recipes/openai_dpo.py
{{template "openai" .}}
{{- range .Train.Files}}
training = upload({{quote .}})
{{- if $.Eval.Files}}
validation = upload({{quote (index $.Eval.Files 0)}})
{{- end}}
job = client.fine_tuning.jobs.create(model=MODEL, method={"type": "dpo", "dpo": {"hyperparameters": {"beta": 0.1}}}, training_file=training{{if $.Eval.Files}}, validation_file=validation{{end}})
print({{quote .}}, job.id)
{{- end}}
