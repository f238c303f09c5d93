"""The words of the graph: prefixes, one constant per term, and the rules that mint IRIs.

    {base}paper/{doi | arXiv id | given id | content hash}          {base}collection/{slug of venue and year}
    {base}{model | dataset | method | metric | task | area}/{slug}  {base}mention/{paper}[/title]/{start}-{end}
    {base}{result | statement | run}/{digest}                       {base}sentence/{paper}[/title]/{start}-{end}

1. What is not allowed in a path is percent-encoded, so every IRI is valid for rdflib and for Oxigraph, which is the
   stricter of the two.
2. A slash of an id stays a slash (`paper/10.1145/3292500`) where each of its segments is an ordinary one; otherwise
   (`a//b`, `a/../b`, `x/title`) it is encoded, so that no two ids share an IRI and nobody's resolver folds them.
3. Nothing depends on the clock, on order or on chance, and there are no blank nodes.

The terms of the ontology keep `DEFAULT_BASE` whatever the base of the data is: one query works on everybody's graph.
They are pyoxigraph's nodes because most of them are written millions of times; `.value` is the string.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import quote

from pyoxigraph import NamedNode

from kg.errors import UsageError
from kg.records import EntityType

DEFAULT_BASE = "https://w3id.org/paperkg/"

VOCABULARIES = {
    "dcmitype": "http://purl.org/dc/dcmitype/",
    "dcterms": "http://purl.org/dc/terms/",
    "fabio": "http://purl.org/spar/fabio/",
    "itsrdf": "http://www.w3.org/2005/11/its/rdf#",
    "kg": f"{DEFAULT_BASE}ontology#",
    "mls": "http://www.w3.org/ns/mls#",
    "nif": "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#",
    "prism": "http://prismstandard.org/namespaces/basic/2.0/",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
KINDS = (
    *(t.lower() for t in EntityType),
    *("area", "collection", "graph", "mention", "paper", "result", "run", "sentence", "software", "statement"),
)

SAFE = "/:@!()*+,;="
ODD_SEGMENTS = frozenset(("", ".", "..", "title"))
LONGEST_SLUG = 80
SEPARATORS = re.compile(r"[\s_\u002d\u2010-\u2015\u2212]+")
NOT_IN_SLUG = re.compile(r"[^a-z0-9.]+")


def prefixes(base: str = DEFAULT_BASE) -> dict[str, str]:
    """Prefix → namespace: the vocabularies, and one for each kind of thing that is minted under `base`.

    >>> prefixes()["kg"], prefixes("http://example.org/")["model"]
    ('https://w3id.org/paperkg/ontology#', 'http://example.org/model/')
    """
    return dict(sorted((VOCABULARIES | {kind: f"{base}{kind}/" for kind in KINDS}).items()))


def iri(kind: str, *key: str, base: str = DEFAULT_BASE) -> str:
    """Mint the IRI of the thing of that kind and key.

    >>> iri("paper", "10.1016/S0140-6736(20)30183-5<x>")
    'https://w3id.org/paperkg/paper/10.1016/S0140-6736(20)30183-5%3Cx%3E'
    >>> iri("mention", "x/title", "0-5", base="http://example.org/")
    'http://example.org/mention/x%2Ftitle/0-5'
    """
    return f"{base}{kind}/{'/'.join(map(_segment, key))}"


@lru_cache(maxsize=65_536)  # a paper's id is asked for with each of its mentions
def _segment(key: str) -> str:
    safe = SAFE if ODD_SEGMENTS.isdisjoint(key.split("/")) else SAFE[1:]
    quoted = quote(key, safe=safe, errors="surrogatepass")
    if not key.strip("."):
        return f"{quoted}%5F"  # an empty segment, `.` and `..` are folded by resolvers
    return f"{quoted[:-1]}%2E" if key[-1] == "." else quoted  # rdflib can't read Turtle's name that ends in a dot


def slug(label: str) -> str:
    """Make the readable last part of a concept's IRI; a label that loses more than case and spacing gets a hash.

    >>> [slug(label) for label in ("BERT-base", "Gaussian process", "GPT-3.5", "C", "C++", "α-GAN")]
    ['bert-base', 'gaussian-process', 'gpt-3.5', 'c', 'c_d9bf32f5', 'alpha-gan_c50f0d27']
    """
    folded = SEPARATORS.sub("-", unicodedata.normalize("NFC", label).casefold()).strip("-")
    readable = NOT_IN_SLUG.sub("-", "".join(map(_ascii, folded))).strip("-.")[:LONGEST_SLUG]
    return readable if readable == folded and readable else f"{readable}_{digest(folded)[:8]}"


@lru_cache(maxsize=4096)
def _ascii(c: str) -> str:
    """The nearest ASCII spelling: Greek letters by name, others without their accents."""
    name = unicodedata.name(c, "")
    if name.startswith("GREEK SMALL LETTER "):
        return name.split()[3].lower()
    return unicodedata.normalize("NFKD", c).encode("ascii", "ignore").decode().lower()


def fold(name: str) -> str:
    """Write a name as skos:hiddenLabel has it, by which it is looked up: as LCASE has it, with single spaces.

    >>> fold(" ImageNet  1K ")
    'imagenet 1k'
    """
    return " ".join(name.lower().split())


def digest(*parts: str) -> str:
    """Sixteen hexadecimal digits that stand for these parts, in this order.

    >>> digest("a", "bc") == digest("ab", "c"), len(digest())
    (False, 16)
    """
    return hashlib.blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def short(name: str, prefixes: Mapping[str, str]) -> str:
    """Abbreviate an IRI by the longest namespace that it is in; for people and for JSON-LD, not for Turtle.

    >>> short("https://w3id.org/paperkg/mention/x/0-5", prefixes()), short("http://example.org/", prefixes())
    ('mention:x/0-5', 'http://example.org/')
    """
    inside = [(namespace, prefix) for prefix, namespace in prefixes.items() if name.startswith(namespace)]
    if not inside:
        return name
    namespace, prefix = max(inside, key=lambda pair: len(pair[0]))
    rest = name[len(namespace) :]
    return name if rest.startswith("//") else f"{prefix}:{rest}"


def checked_base(base: str) -> str:
    """Give the base back if IRIs can be minted under it; UsageError otherwise."""
    try:
        NamedNode(base)
    except ValueError as error:
        raise UsageError(f"base IRI {base!r} is not an IRI ({error}); give one such as {DEFAULT_BASE}") from error
    if not re.match(r"[a-z][a-z0-9+.-]*:", base, re.IGNORECASE) or base[-1] not in "/#:":
        raise UsageError(f"base IRI {base!r} must be absolute and end in '/' or '#', such as {DEFAULT_BASE}")
    return base


def _term(prefix: str, name: str) -> NamedNode:
    return NamedNode(VOCABULARIES[prefix] + name)


# Our own: classes, roles, the properties of statements and results
KG_MODEL = _term("kg", "Model")
KG_DATASET = _term("kg", "Dataset")
KG_METHOD = _term("kg", "Method")
KG_METRIC = _term("kg", "Metric")
KG_TASK = _term("kg", "Task")
KG_RESULT = _term("kg", "Result")
KG_PROPOSES = _term("kg", "proposes")
KG_EVALUATES_ON = _term("kg", "evaluatesOn")
KG_REPORTS = _term("kg", "reports")
KG_ADDRESSES = _term("kg", "addresses")
KG_COMPARES_WITH = _term("kg", "comparesWith")
KG_USES = _term("kg", "uses")
KG_STUDIES = _term("kg", "studies")
KG_MENTIONS = _term("kg", "mentions")
KG_CONFIDENCE = _term("kg", "confidence")
KG_REPORTED_IN = _term("kg", "reportedIn")
KG_OF_SUBJECT = _term("kg", "ofSubject")
KG_MEASURE_TEXT = _term("kg", "measureText")
KG_ON_DATASET = _term("kg", "onDataset")
KG_UNIT = _term("kg", "unit")
KG_VALUE_KIND = _term("kg", "valueKind")
KG_ABSOLUTE = _term("kg", "absolute")
KG_DIFFERENCE = _term("kg", "difference")
KG_RATIO = _term("kg", "ratio")
KG_BOUND = _term("kg", "bound")
KG_RANGE = _term("kg", "range")
KG_WITH_ERROR = _term("kg", "withError")
KG_POWER_OF_TEN = _term("kg", "powerOfTen")
KG_SPELLED_OUT = _term("kg", "spelledOut")
KG_LOWER_VALUE = _term("kg", "lowerValue")
KG_UPPER_VALUE = _term("kg", "upperValue")
KG_VALUE_ERROR = _term("kg", "valueError")
KG_RELATION = _term("kg", "relation")
KG_CONDITION = _term("kg", "condition")
KG_IS_IMPROVEMENT = _term("kg", "isImprovement")
KG_VALUE_TEXT = _term("kg", "valueText")
KG_COMPARED_WITH = _term("kg", "comparedWith")
KG_HIGHER_IS_BETTER = _term("kg", "higherIsBetter")
KG_FOR_TASK = _term("kg", "forTask")
KG_KNOWN_FROM = _term("kg", "knownFrom")
KG_PAPER_COUNT = _term("kg", "paperCount")
KG_PAPER_COUNT_WITHIN = _term("kg", "paperCountWithin")
KG_WORD = _term("kg", "word")
KG_BASELINE_VALUE = _term("kg", "baselineValue")
KG_BASELINE_VALUE_TEXT = _term("kg", "baselineValueText")

# Everybody's
RDF_TYPE = _term("rdf", "type")
RDF_STATEMENT = _term("rdf", "Statement")
RDF_SUBJECT = _term("rdf", "subject")
RDF_PREDICATE = _term("rdf", "predicate")
RDF_OBJECT = _term("rdf", "object")
RDFS_LABEL = _term("rdfs", "label")
XSD_BOOLEAN = _term("xsd", "boolean")
XSD_DECIMAL = _term("xsd", "decimal")
XSD_NON_NEGATIVE_INTEGER = _term("xsd", "nonNegativeInteger")
XSD_INTEGER = _term("xsd", "integer")
XSD_G_YEAR = _term("xsd", "gYear")
XSD_DATE_TIME = _term("xsd", "dateTime")
XSD_STRING = _term("xsd", "string")
DCMITYPE_COLLECTION = _term("dcmitype", "Collection")
DCTERMS_TITLE = _term("dcterms", "title")
DCTERMS_CREATOR = _term("dcterms", "creator")
DCTERMS_IDENTIFIER = _term("dcterms", "identifier")
DCTERMS_ABSTRACT = _term("dcterms", "abstract")
DCTERMS_IS_PART_OF = _term("dcterms", "isPartOf")
DCTERMS_IS_REPLACED_BY = _term("dcterms", "isReplacedBy")
DCTERMS_ISSUED = _term("dcterms", "issued")
DCTERMS_SUBJECT = _term("dcterms", "subject")
FABIO_RESEARCH_PAPER = _term("fabio", "ResearchPaper")
FABIO_HAS_ARXIV_ID = _term("fabio", "hasArXivId")
FABIO_HAS_PUBLICATION_YEAR = _term("fabio", "hasPublicationYear")
FABIO_HAS_URL = _term("fabio", "hasURL")
PRISM_DOI = _term("prism", "doi")
SCHEMA_SCHOLARLY_ARTICLE = _term("schema", "ScholarlyArticle")
SCHEMA_COLLECTION = _term("schema", "Collection")
SCHEMA_DATASET = _term("schema", "Dataset")
SCHEMA_SOFTWARE_APPLICATION = _term("schema", "SoftwareApplication")
SCHEMA_SOFTWARE_VERSION = _term("schema", "softwareVersion")
SCHEMA_NAME = _term("schema", "name")
SCHEMA_SAME_AS = _term("schema", "sameAs")
SKOS_CONCEPT = _term("skos", "Concept")
SKOS_CONCEPT_SCHEME = _term("skos", "ConceptScheme")
SKOS_IN_SCHEME = _term("skos", "inScheme")
SKOS_BROADER = _term("skos", "broader")
SKOS_TOP_CONCEPT_OF = _term("skos", "topConceptOf")
SKOS_HAS_TOP_CONCEPT = _term("skos", "hasTopConcept")
SKOS_PREF_LABEL = _term("skos", "prefLabel")
SKOS_ALT_LABEL = _term("skos", "altLabel")
SKOS_EXACT_MATCH = _term("skos", "exactMatch")
SKOS_CLOSE_MATCH = _term("skos", "closeMatch")
SKOS_HIDDEN_LABEL = _term("skos", "hiddenLabel")
MLS_MODEL = _term("mls", "Model")
MLS_DATASET = _term("mls", "Dataset")
MLS_TASK = _term("mls", "Task")
MLS_EVALUATION_MEASURE = _term("mls", "EvaluationMeasure")
MLS_MODEL_EVALUATION = _term("mls", "ModelEvaluation")
MLS_SPECIFIED_BY = _term("mls", "specifiedBy")
MLS_HAS_VALUE = _term("mls", "hasValue")
NIF_CONTEXT = _term("nif", "Context")
NIF_PHRASE = _term("nif", "Phrase")
NIF_SENTENCE = _term("nif", "Sentence")
NIF_IS_STRING = _term("nif", "isString")
NIF_ANCHOR_OF = _term("nif", "anchorOf")
NIF_BEGIN_INDEX = _term("nif", "beginIndex")
NIF_END_INDEX = _term("nif", "endIndex")
NIF_REFERENCE_CONTEXT = _term("nif", "referenceContext")
NIF_IN_SENTENCE = _term("nif", "sentence")
ITSRDF_TA_IDENT_REF = _term("itsrdf", "taIdentRef")
ITSRDF_TA_CONFIDENCE = _term("itsrdf", "taConfidence")
PROV_ACTIVITY = _term("prov", "Activity")
PROV_ENTITY = _term("prov", "Entity")
PROV_SOFTWARE_AGENT = _term("prov", "SoftwareAgent")
PROV_USED = _term("prov", "used")
PROV_WAS_ASSOCIATED_WITH = _term("prov", "wasAssociatedWith")
PROV_WAS_DERIVED_FROM = _term("prov", "wasDerivedFrom")
PROV_WAS_GENERATED_BY = _term("prov", "wasGeneratedBy")
PROV_STARTED_AT_TIME = _term("prov", "startedAtTime")
PROV_ENDED_AT_TIME = _term("prov", "endedAtTime")
