"""Parts of an experiment done in this process, as the frame would store them."""

import json


def answer(experiment, part, seed=0):
    found = experiment.work(part.arguments, experiment.generator(part, seed))
    return json.loads(json.dumps(found, allow_nan=False))


def answers(experiment, setting, wanted=lambda part: True):
    return {
        part.key: answer(experiment, part, setting.seed)
        for part in experiment.parts(setting)
        if wanted(part)
    }


def verdicts(findings, words):
    return [one.holds for one in findings.comparisons if words in one.printed]
