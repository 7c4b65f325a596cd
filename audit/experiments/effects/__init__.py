"""The experiment's effect beside what an observational study of a population would say."""
