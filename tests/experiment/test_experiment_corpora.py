"""Reading a corpus: every fault names the file and the path in it."""

import json
import shutil

import pytest

from contextc.errors import DocumentError, NotFound
from contextc.experiment.corpora import load_corpus
from contextc.experiment.places import OWN_CORPUS, place_of

FIXTURE = "rule-with-exception"


@pytest.fixture
def folder(tmp_path):
    """A corpus of one fixture."""
    for name in (f"{FIXTURE}.candidates.json", f"{FIXTURE}.request.json", "compiler-policy-v1.json"):
        shutil.copy(OWN_CORPUS / name, tmp_path / name)
    manifest = json.loads((OWN_CORPUS / "manifest.json").read_text())
    manifest["fixtures"] = [FIXTURE]
    for part in ("budgets", "expected"):
        manifest[part] = {FIXTURE: manifest[part][FIXTURE]}
    ledger = json.loads((OWN_CORPUS / "ledger.json").read_text())
    ledger["fixtures"] = {FIXTURE: ledger["fixtures"][FIXTURE]}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "ledger.json").write_text(json.dumps(ledger))
    return tmp_path


def edit(folder, name, change):
    path = folder / name
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


def test_a_corpus_is_read_with_its_budgets_from_the_smallest(folder):
    corpus = load_corpus(folder)
    (fixture,) = corpus.fixtures
    assert fixture.budgets == (("tight", 430), ("medium", 700), ("roomy", 1400))
    assert [case.request.request_id for case in corpus.cases()] == [
        f"{FIXTURE}-req-tight",
        f"{FIXTURE}-req-medium",
        f"{FIXTURE}-req-roomy",
    ]
    assert [case.request.usable_token_budget for case in corpus.cases()] == [430, 700, 1400]


def test_the_ledger_may_stand_elsewhere(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("ledger") / "labels.json"
    (folder / "ledger.json").rename(elsewhere)
    with pytest.raises(NotFound, match=r"ledger\.json"):
        load_corpus(folder)
    assert load_corpus(folder, elsewhere).experiment == "contextc-construction"


def test_the_own_corpus_and_the_published_one_are_found(shared):
    assert place_of(OWN_CORPUS, None).results is None
    place = place_of(None, None)
    assert place.corpus.name == "compiler-v1"
    assert place.results is not None
    assert len(load_corpus(place.corpus, place.ledger).fixtures) == 14


def test_without_published_data_the_own_corpus_is_the_default(tmp_path, monkeypatch):
    monkeypatch.setenv("CONTEXTC_SHARED", str(tmp_path))
    assert place_of(None, None).corpus == OWN_CORPUS


LEDGER = f"$.fixtures.{FIXTURE}"


def identities(document):
    return document["fixtures"][FIXTURE]["identities"]


#: What is done to which file, the file that is blamed, and the path in it.
FAULTS = {
    "a fixture listed twice": (
        "manifest.json",
        lambda d: d["fixtures"].append(FIXTURE),
        "manifest.json",
        "$.fixtures: expected each fixture once",
    ),
    "budgets for a fixture that is not listed": (
        "manifest.json",
        lambda d: d["budgets"].update(other={"tight": 3}),
        "manifest.json",
        "$.budgets.other: expected only names",
    ),
    "a listed fixture without expectations": (
        "manifest.json",
        lambda d: d["expected"].clear(),
        "manifest.json",
        f"$.expected: expected an entry '{FIXTURE}'",
    ),
    "an unknown key": (
        "manifest.json",
        lambda d: d.update(surprise=1),
        "manifest.json",
        "surprise",
    ),
    "a candidate given twice": (
        f"{FIXTURE}.candidates.json",
        lambda d: d["candidates"].append(d["candidates"][0]),
        f"{FIXTURE}.candidates.json",
        "$.candidates[5].candidate_id: 'house-rule' is given twice",
    ),
    "a dependency on nobody": (
        f"{FIXTURE}.candidates.json",
        lambda d: d["candidates"][2].update(depends_on=["nobody"]),
        f"{FIXTURE}.candidates.json",
        "$.candidates[2].depends_on[0]: no candidate is called 'nobody'",
    ),
    "a count that is not whole": (
        f"{FIXTURE}.candidates.json",
        lambda d: d["candidates"][2].update(token_count=1.5),
        f"{FIXTURE}.candidates.json",
        "$.candidates[2].token_count",
    ),
    "a policy nobody has": (
        f"{FIXTURE}.request.json",
        lambda d: d.update(policy_version="compiler-policy-v9"),
        "compiler-policy-v9.json",
        "expected a file of the corpus",
    ),
    "another weight of the policy in the ledger": (
        "ledger.json",
        lambda d: d["policy"].update(min_discretionary_relevance=0.4),
        "ledger.json",
        "$.policy.min_discretionary_relevance: expected 0.3",
    ),
    "another cost of the rendering": (
        "ledger.json",
        lambda d: d["token_model"].update(header=9),
        "ledger.json",
        "$.token_model.header: expected 4",
    ),
    "a fixture without a ledger": (
        "ledger.json",
        lambda d: d["fixtures"].update({"other": d["fixtures"].pop(FIXTURE)}),
        "ledger.json",
        f"$.fixtures: expected an entry '{FIXTURE}'",
    ),
    "a budget of another size": (
        "ledger.json",
        lambda d: d["fixtures"][FIXTURE]["budgets"].update(tight=431),
        "ledger.json",
        f"{LEDGER}.budgets: expected",
    ),
    "an outcome the manifest contradicts": (
        "ledger.json",
        lambda d: d["fixtures"][FIXTURE]["expected"].update(
            tight={"outcome": "refusal", "reason": "INSUFFICIENT_BUDGET"}
        ),
        "ledger.json",
        f"{LEDGER}.expected.tight: expected the same outcome as in manifest.json",
    ),
    "a refusal without a reason": (
        "ledger.json",
        lambda d: d["fixtures"][FIXTURE]["expected"].update(tight={"outcome": "refusal", "reason": None}),
        "ledger.json",
        f"{LEDGER}.expected.tight: expected a reason",
    ),
    "a reason that is not one": (
        "ledger.json",
        lambda d: d["fixtures"][FIXTURE]["expected"].update(tight={"outcome": "refusal", "reason": "TIRED"}),
        "ledger.json",
        "$.fixtures",
    ),
    "a label for a content nobody has": (
        "ledger.json",
        lambda d: identities(d).update(ghost={"label": "must"}),
        "ledger.json",
        f"{LEDGER}.identities.ghost: expected an identity",
    ),
    "a label that is not one": (
        "ledger.json",
        lambda d: identities(d).update(ticket={"label": "nice"}),
        "ledger.json",
        "nice",
    ),
    "a form that is not one": (
        "ledger.json",
        lambda d: identities(d)["ticket"].update(minimum_form="tiny"),
        "ledger.json",
        f"{LEDGER}.identities.ticket.minimum_form: expected one of",
    ),
    "other forms of a content": (
        "ledger.json",
        lambda d: identities(d)["ticket"].update(candidates=["house-rule"]),
        "ledger.json",
        f"{LEDGER}.identities.ticket.candidates: expected ['ticket']",
    ),
    "other sufficient forms": (
        "ledger.json",
        lambda d: identities(d)["ticket"].update(sufficient_and_legal=[]),
        "ledger.json",
        f"{LEDGER}.identities.ticket.sufficient_and_legal: expected ['ticket']",
    ),
    "other labels by content": (
        "ledger.json",
        lambda d: d["fixtures"][FIXTURE].update(labels_by_identity={"must": ["ticket"]}),
        "ledger.json",
        f"{LEDGER}.labels_by_identity.must: expected",
    ),
    "a label by content that is not one": (
        "ledger.json",
        lambda d: d["fixtures"][FIXTURE].update(labels_by_identity={"nice": ["ticket"]}),
        "ledger.json",
        f"{LEDGER}.labels_by_identity.nice: expected []",
    ),
    "other labels by candidate": (
        "ledger.json",
        lambda d: d["fixtures"][FIXTURE].update(labels_by_candidate={"must": []}),
        "ledger.json",
        f"{LEDGER}.labels_by_candidate.must: expected",
    ),
    "other named ids": (
        "ledger.json",
        lambda d: d["fixtures"][FIXTURE].update(named_required_ids=["ticket"]),
        "ledger.json",
        f"{LEDGER}.named_required_ids: expected []",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_names_its_file_and_its_path(folder, fault):
    file, change, blamed, words = FAULTS[fault]
    edit(folder, file, change)
    with pytest.raises((DocumentError, NotFound)) as caught:
        load_corpus(folder)
    assert caught.value.where == str(folder / blamed)
    assert words in caught.value.message


@pytest.mark.parametrize("suffix", [".candidates.json", ".request.json"])
def test_a_file_of_a_fixture_that_is_not_listed_is_not_passed_over(folder, suffix):
    shutil.copy(folder / f"{FIXTURE}{suffix}", folder / f"forgotten{suffix}")
    with pytest.raises(DocumentError, match=rf"forgotten\{suffix}"):
        load_corpus(folder)


@pytest.mark.parametrize(
    "name", ["manifest.json", f"{FIXTURE}.candidates.json", f"{FIXTURE}.request.json", "compiler-policy-v1.json"]
)
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(NotFound) as caught:
        load_corpus(folder)
    assert caught.value.where == str(folder / name)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(NotFound, match="expected the folder of a corpus"):
        load_corpus(tmp_path / "nowhere")


def test_several_faults_of_one_file_are_reported_at_once(folder):
    def spoil(document):
        identities(document)["ticket"]["minimum_form"] = "tiny"
        identities(document)["ghost"] = {"label": "must"}

    edit(folder, "ledger.json", spoil)
    with pytest.raises(DocumentError) as caught:
        load_corpus(folder)
    assert len(caught.value.problems) == 2
