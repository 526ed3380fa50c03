import { assert, describe, it } from "@effect/vitest"
import {
  AuditLog,
  cancelJob,
  EventLog,
  type FileId,
  Files,
  JobQueue,
  type Organization,
  setOrganizationPlan
} from "@parley/domain/platform"
import {
  type Contact,
  ContactExists,
  ContactHistory,
  ContactImportCleanup,
  ContactImports,
  Contacts,
  type ContactImport,
  dropContactFile,
  type ImportRequest,
  receiveContactFile
} from "@parley/domain/crm"
import type { Ports } from "@parley/domain/composition"
import {
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenContactField,
  givenOrganization,
  givenTag,
  TestKit
} from "@parley/testkit"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ask, everyone, faultLines, importAll, read, receive, tagNames, work } from "./importing.ts"

/** Each has a separate store, because workers serve all organizations. */
const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports>, timeout?: number) =>
  it.effect(name, () => Effect.provide(Effect.suspend(body), TestKit.layer, { local: true }), timeout)

const csv = (...lines: ReadonlyArray<string>) => lines.map((line) => `${line}\r\n`).join("")

const counts = ({ counts: { bad, created, rows, unchanged, updated } }: ContactImport) => ({
  rows,
  created,
  updated,
  unchanged,
  bad
})

const known = ({ email, name, phone }: Contact) => ({ name, phone, email })

const all = { limit: 1_000, after: null }

const faultsOfAsking = (organization: Organization, text: string, request: Partial<ImportRequest> = {}) =>
  Effect.map(Effect.flip(ask(organization, text, request)), (error) =>
    error._tag === "ValidationFailed" ? error.errors.map(({ message, pointer }) => `${pointer} ${message}`) : error._tag
  )

describe("an import", () => {
  test("matches by the id and reports the number of unknown ids", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* importAll(organization, csv("name,phone", "Ann,+491701234567"))
      const [ann] = yield* everyone(organization)
      const text = csv(
        "id,name,phone",
        `${ann?.id},Ann Archer,`,
        "4711,Bea,+491701234568",
        "0193a000-0000-7000-8000-000000000000,Cem,+491701234569"
      )
      for (const dryRun of [true, false]) {
        const done = yield* importAll(organization, text, { dryRun })
        assert.deepInclude(done.counts, { rows: 3, created: 2, updated: 1, bad: 0, unknownIds: 2 })
        assert.match(done.summary ?? "", / The id of 2 rows is unknown and was ignored\.$/)
      }
    }))

  test("adds every contact of the file with all values", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenContactField(organization, "city")
      yield* givenContactField(organization, "age", { type: "number" })
      yield* givenContactField(organization, "vip", { type: "boolean" })
      yield* givenTag(organization, { name: "Café" })
      const done = yield* importAll(
        organization,
        csv(
          "Name,Phone,EMAIL,locale,timezone,external,marketing,tags,attribute.city,attribute.age,attribute.vip,comment",
          "Ada Lovelace,+49 170 1234567,Ada@Example.com,en,Europe/London,crm-1,Subscribed,café;CAFÉ,London,36,yes,x",
          "Grace,,grace@example.com,,,,,,,,,"
        )
      )
      assert.deepStrictEqual(counts(done), { rows: 2, created: 2, updated: 0, unchanged: 0, bad: 0 })
      assert.deepStrictEqual([done.state, done.errorsUrl, done.error], ["succeeded", null, null])
      const [ada, grace] = yield* everyone(organization)
      assert.deepStrictEqual(ada === undefined ? null : known(ada), {
        name: "Ada Lovelace",
        phone: "+491701234567",
        email: "ada@example.com"
      })
      assert.deepStrictEqual(ada?.attributes, { city: "London", age: 36, vip: true })
      assert.deepStrictEqual(
        ada?.identities.map(({ kind, source, value }) => `${kind} ${value} ${source}`),
        ["phone +491701234567 import", "email ada@example.com import", "external crm-1 import"]
      )
      assert.lengthOf(ada?.tags ?? [], 1)
      assert.deepStrictEqual([ada?.consent.marketing, ada?.consent.source], ["subscribed", "import"])
      assert.deepStrictEqual([grace?.name, grace?.phone, grace?.consent.marketing], ["Grace", null, "unknown"])
      const history = yield* ContactHistory
      const entries = ada === undefined ? [] : yield* history.consents(ada.id, all).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        entries.map(({ actor, source, state }) => [actor.kind, source, state]),
        [["user", "import", "subscribed"]]
      )
    }))

  test("changes known contacts by the row's values and ignores empty cells", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const before = yield* givenContact(organization, { name: "Ada", phone: "+491701234567", locale: "en" })
      const done = yield* importAll(
        organization,
        csv("phone,name,locale,email", "0170 1234567,,de,ada@example.com", "+491701234567,,de,"),
        { country: "DE" }
      )
      assert.deepStrictEqual(counts(done), { rows: 2, created: 0, updated: 1, unchanged: 1, bad: 0 })
      const [after] = yield* everyone(organization)
      assert.deepStrictEqual(
        [after?.id, after?.name, after?.locale, after?.email, after?.version],
        [before.id, "Ada", "de", "ada@example.com", 2]
      )
    }))

  test("leaves known contacts unchanged on request", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenContact(organization, { name: "Ada", email: "ada@example.com" })
      const done = yield* importAll(organization, csv("email,name", "ada@example.com,Other", "b@example.com,B"), {
        onExisting: "skip"
      })
      assert.deepStrictEqual(counts(done), { rows: 2, created: 1, updated: 0, unchanged: 1, bad: 0 })
      assert.deepStrictEqual(
        (yield* everyone(organization)).map(({ name }) => name),
        ["Ada", "B"]
      )
    }))

  test("a later row about the same person changes what an earlier one has made", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const done = yield* importAll(
        organization,
        csv(
          "name,phone,email,external",
          "One,+491701234567,,",
          "Two,,two@example.com,x2",
          ",+49 170 1234567,one@example.com,",
          "Uno,,ONE@example.com,",
          "Second,,other@example.com,x2"
        )
      )
      assert.deepStrictEqual(counts(done), { rows: 5, created: 2, updated: 3, unchanged: 0, bad: 0 })
      assert.deepStrictEqual((yield* everyone(organization)).map(known), [
        { name: "Uno", phone: "+491701234567", email: "one@example.com" },
        { name: "Second", phone: null, email: "other@example.com" }
      ])
    }))

  test("a phone number that one contact gives up may be another's in a later row", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenContact(organization, { name: "A", phone: "+491701234567", email: "a@example.com" })
      const done = yield* importAll(
        organization,
        csv("name,email,phone", "A,a@example.com,+491709999999", "B,b@example.com,+491701234567")
      )
      assert.deepStrictEqual(counts(done), { rows: 2, created: 1, updated: 1, unchanged: 0, bad: 0 })
    }))

  test("reports bad rows with their lines, columns and cells, and imports the good ones", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const [a, b] = [
        yield* givenContact(organization, { phone: "+491701234567" }),
        yield* givenContact(organization, { email: "b@example.com" })
      ]
      yield* givenContactField(organization, "age", { type: "number" })
      const done = yield* importAll(
        organization,
        csv(
          "name,phone,email,tags,attribute.age,line",
          "Good,,good@example.com,,,1",
          "No phone,12,,,,2",
          '"two\nlines",,x@example.com,,,3',
          "Both,+491701234567,b@example.com,,,4",
          "Tag,,tag@example.com,Nobody,,5",
          "Age,,not an address,,old,6",
          ",,,,,7",
          "too,few",
          "Last,,last@example.com,,,9"
        )
      )
      assert.deepStrictEqual(counts(done), { rows: 9, created: 2, updated: 0, unchanged: 0, bad: 7 })
      assert.strictEqual(done.errorsUrl, `/api/v1/contacts/imports/${done.id}/errors`)
      const lines = yield* faultLines(organization, done)
      assert.deepStrictEqual(
        lines.map((line) => line.replace(a.id, "A").replace(b.id, "B")),
        [
          '3,phone,"Expected a phone number with its country code, such as +49 170 1234567",No phone,12,,,,2',
          '4,name,Expected one line of text without spaces at its ends,"two\nlines",,x@example.com,,,3',
          '6,,"The row matches several contacts: the phone number belongs to A, the e-mail address belongs to B. Merge them, or fix the row.",Both,+491701234567,b@example.com,,,4',
          '7,tags,"There is no tag with the name ""Nobody""",Tag,,tag@example.com,Nobody,,5',
          "8,email,Expected an e-mail address,Age,,not an address,,old,6",
          "8,attribute.age,Expected a number,Age,,not an address,,old,6",
          '9,,"A contact needs a name, a phone number, an e-mail address or another identity",,,,,,7',
          '10,,"The row has 2 cells, and the header has 6.",,,,,,'
        ]
      )
    }))

  test("creates missing tags on request, and adds the common tags", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const tag = yield* givenTag(organization, { name: "Imported" })
      yield* givenContact(organization, { email: "known@example.com" })
      const done = yield* importAll(
        organization,
        csv("email,tags", "a@example.com,Fresh; VIP", "b@example.com,fresh", "known@example.com,"),
        { createTags: true, tags: [tag.id] }
      )
      assert.deepStrictEqual(counts(done), { rows: 3, created: 2, updated: 1, unchanged: 0, bad: 0 })
      const names = yield* tagNames(organization)
      assert.deepStrictEqual([...names.values()], ["Fresh", "Imported", "VIP"])
      assert.deepStrictEqual(
        (yield* everyone(organization)).map(({ email, tags }) => [
          email,
          tags
            .map((id) => names.get(id) ?? "")
            .toSorted()
            .join()
        ]),
        [
          ["known@example.com", "Imported"],
          ["a@example.com", "Fresh,Imported,VIP"],
          ["b@example.com", "Fresh,Imported"]
        ]
      )
    }))

  test("reads NDJSON, where cells have types", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenContactField(organization, "age", { type: "number" })
      const rows = [
        { email: "a@example.com", "attribute.age": 36, tags: ["a;b", "c"], ignored: { deep: true } },
        { email: "b@example.com", name: null },
        { email: { not: "a text" } }
      ]
      const text = `${rows.map((row) => JSON.stringify(row)).join("\n")}\nnot json\n`
      const done = yield* importAll(organization, text, { format: "ndjson", createTags: true })
      assert.deepStrictEqual(counts(done), { rows: 4, created: 2, updated: 0, unchanged: 0, bad: 2 })
      assert.deepStrictEqual([...(yield* tagNames(organization)).values()], ["a;b", "c"])
      assert.deepStrictEqual(
        (yield* everyone(organization)).map(({ attributes }) => attributes),
        [{ age: 36 }, {}]
      )
    }))

  test("stops adding where the plan ends, and goes on changing", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* Effect.forEach(Array.from({ length: 997 }), (_, at) =>
        givenContact(organization, { name: `Contact ${at}` })
      )
      yield* givenContact(organization, { email: "known@example.com" })
      const done = yield* importAll(
        organization,
        csv(
          "email,name",
          "a@example.com,A",
          "b@example.com,B",
          "c@example.com,C",
          "known@example.com,Known",
          "a@example.com,AA"
        )
      )
      assert.deepStrictEqual(counts(done), { rows: 5, created: 2, updated: 2, unchanged: 0, bad: 1 })
      assert.deepStrictEqual(yield* faultLines(organization, done), [
        '4,,"The plan allows 1000 contacts; 1000 are in use.",c@example.com,C'
      ])
      yield* setOrganizationPlan({ plan: "growth" }).pipe(asOperatorOf(organization))
      assert.strictEqual((yield* importAll(organization, csv("email", "c@example.com"))).counts.created, 1)
    }))

  test("publishes its result in one event, and records its starter in the audit trail", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const done = yield* importAll(organization, csv("email", "a@example.com", "b@example.com"))
      const log = yield* EventLog
      const events = yield* log.list(["contacts.imported", "contact.created"], all).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        events.map(({ event }) => event),
        [{ type: "contacts.imported", created: 2, updated: 0, jobId: done.jobId }]
      )
      const trail = yield* (yield* AuditLog)
        .list(
          { actorId: null, targetKind: "contact_import", targetId: done.id, action: null, from: null, to: null },
          all
        )
        .pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        trail.map(({ action, actor, after }) => [action, actor.kind, after]),
        [["contacts.imported", "user", { jobId: done.jobId, format: "csv", dryRun: false }]]
      )
    }))

  test("a dry run counts and reports all the same, and writes nothing", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenContact(organization, { email: "known@example.com" })
      const text = csv("email,name,tags", "a@example.com,A,New", "known@example.com,K,", "bad,,", "a@example.com,AA,")
      const request = { createTags: true }
      const dry = yield* importAll(organization, text, { ...request, dryRun: true })
      assert.deepStrictEqual(counts(dry), { rows: 4, created: 1, updated: 2, unchanged: 0, bad: 1 })
      assert.lengthOf(yield* everyone(organization), 1)
      assert.strictEqual((yield* tagNames(organization)).size, 0)
      const log = yield* EventLog
      assert.lengthOf(yield* log.list(["contacts.imported", "tag.created"], all).pipe(asOperatorOf(organization)), 0)
      assert.deepStrictEqual(counts(yield* importAll(organization, text, request)), counts(dry))
    }))
})

describe("what cannot work is refused before it begins:", () => {
  test("a file without a header, or with an empty one", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      assert.deepStrictEqual(yield* faultsOfAsking(organization, ""), [" The file is empty."])
      assert.deepStrictEqual(yield* faultsOfAsking(organization, "", { format: "ndjson" }), [" The file is empty."])
      assert.deepStrictEqual(yield* faultsOfAsking(organization, "name,name\r\n"), [
        ' The header has the name "name" more than once.'
      ])
    }))

  test("columns that are not there, fields that are not there, and two columns for one thing", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const map = [
        { column: "Mail", target: "email" },
        { column: "Name", target: "attribute.city" },
        { column: "Name", target: "name" },
        { column: "Other", target: "name" }
      ]
      assert.deepStrictEqual(yield* faultsOfAsking(organization, "Name,Other\r\n", { map }), [
        '/map/0 The file has no column "Mail". It has: Name, Other',
        "/map/1 There is no contact field with the key city",
        "/map/3 Another column already maps to name"
      ])
      assert.deepStrictEqual(yield* faultsOfAsking(organization, "email,Email,attribute.city\r\n"), [
        "/map There is no contact field with the key city. Add it, or map the column to ignore",
        '/map The columns "email" and "Email" all match email. Map the columns, or map one of them to ignore'
      ])
      assert.match(String((yield* faultsOfAsking(organization, "a,b\r\n"))[0]), /^\/map No column name matches/u)
    }))
})

describe("the columns of a file", () => {
  test("are all named in the answer with their targets, including unused ones", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenContactField(organization, "city", { name: "Wohnort" })
      const header = "E-Mail,Vorname,NACHNAME,wohn-ort,Notes,Étiquettes,createdAt"
      const asked = yield* Effect.orDie(ask(organization, csv(header, "ada@example.com,Ada,Lovelace,London,x,,y")))
      assert.deepStrictEqual(asked.columns, [
        { name: "E-Mail", field: "email" },
        { name: "Vorname", field: "firstName" },
        { name: "NACHNAME", field: "lastName" },
        { name: "wohn-ort", field: "attribute.city" },
        { name: "Notes", field: null },
        { name: "Étiquettes", field: "tags" },
        { name: "createdAt", field: null }
      ])
      assert.deepStrictEqual(asked.unknownColumns, ["Notes"])
      yield* work
      const done = yield* read(organization, asked)
      assert.deepStrictEqual([done.columns, done.unknownColumns], [asked.columns, asked.unknownColumns])
      const [ada] = yield* everyone(organization)
      assert.deepStrictEqual([ada?.name, ada?.attributes], ["Ada Lovelace", { city: "London" }])
    }))

  test("fill only what is said, if that is said", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const map = [{ column: "name", target: "email" }]
      const done = yield* importAll(organization, csv("name,email", "a@example.com,b@example.com"), { map })
      assert.deepStrictEqual([done.counts.created, done.unknownColumns], [1, ["email"]])
      assert.deepStrictEqual((yield* everyone(organization)).map(known), [
        { name: null, phone: null, email: "a@example.com" }
      ])
    }))

  test("are used by name, with ignored columns in between", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const map = [{ column: "Handy", target: "ignore" }]
      const text = csv("Name,Telefon,Handy", "Ada,+491701234567,+491709999999")
      assert.deepStrictEqual(yield* faultsOfAsking(organization, text), [
        '/map The columns "Telefon" and "Handy" all match phone. Map the columns, or map one of them to ignore'
      ])
      const done = yield* importAll(organization, text, { map, strict: true })
      assert.deepStrictEqual(done.unknownColumns, [])
      assert.deepStrictEqual((yield* everyone(organization)).map(known), [
        { name: "Ada", phone: "+491701234567", email: null }
      ])
    }))

  test("are refused before anything is written, if they fill nothing and the import is strict", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      assert.deepStrictEqual(yield* faultsOfAsking(organization, csv("name,Notes,Score", "A,x,1"), { strict: true }), [
        '/strict The column "Notes" has no target. Map it to a target or to ignore',
        '/strict The column "Score" has no target. Map it to a target or to ignore'
      ])
      const map = [{ column: "name", target: "name" }]
      assert.lengthOf(yield* faultsOfAsking(organization, csv("name,email", "A,"), { map, strict: true }), 1)
      yield* work
      assert.isEmpty(yield* everyone(organization))
    }))

  test("of NDJSON include fields of rows far behind the first one", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const first = Array.from({ length: 1_000 }, (_, at) => ({ "E-Mail": `p${at}@example.com`, Notes: "x" }))
      const rows = [...first, { "E-Mail": "last@example.com", name: "Last", Score: 1, "": 2 }]
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("")
      const asked = yield* Effect.orDie(ask(organization, text, { format: "ndjson" }))
      assert.deepStrictEqual(asked.columns, [
        { name: "E-Mail", field: "email" },
        { name: "Notes", field: null }
      ])
      yield* work
      const done = yield* read(organization, asked)
      assert.deepStrictEqual(done.columns.slice(2), [
        { name: "name", field: "name" },
        { name: "Score", field: null },
        { name: "", field: null }
      ])
      assert.deepStrictEqual([done.counts.created, done.unknownColumns], [1_001, ["Notes", "Score", ""]])
      const map = [{ column: "Notes", target: "ignore" }]
      const strict = yield* importAll(organization, text, { format: "ndjson", strict: true, map })
      assert.deepStrictEqual([strict.counts.unchanged, strict.counts.bad], [1_000, 1])
      assert.deepStrictEqual(
        (yield* faultLines(organization, strict)).map((line) => line.slice(0, 67)),
        [
          '1001,Score,"The column has no target, and the import is strict",las',
          '1001,,"The column has no target, and the import is strict",last@exa'
        ]
      )
    }))
})

describe("tags of a file", () => {
  test("with a comma in the name of a new one are bad, and say what to do", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenTag(organization, { name: "Food, drinks" })
      const text = csv(
        "email,tags",
        'a@example.com,"tag0,tag7"',
        'b@example.com,"food, DRINKS"',
        String.raw`c@example.com,"one\, tag; other"`
      )
      const done = yield* importAll(organization, text, { createTags: true })
      assert.strictEqual(done.tagSeparator, "semicolon")
      assert.deepStrictEqual(counts(done), { rows: 3, created: 2, updated: 0, unchanged: 0, bad: 1 })
      assert.deepStrictEqual(yield* faultLines(organization, done), [
        String.raw`2,tags,"There is no tag with the name ""tag0,tag7"", and it is not added because it contains a comma. The separator between tags is a semicolon. For several tags, set the tag separator to a comma; for a single tag, write \, for the comma",a@example.com,"tag0,tag7"`
      ])
      assert.deepStrictEqual([...(yield* tagNames(organization)).values()], ["Food, drinks", "one, tag", "other"])
      const closed = yield* importAll(organization, text)
      assert.include(
        (yield* faultLines(organization, closed))[0],
        "The separator between tags is a semicolon. For several tags, set the tag separator to a comma"
      )
    }))

  test("are not added for an invalid row, regardless of commas in other rows", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const rows = [
        { email: "a@example.com", tags: "one,two;three" },
        { email: "b@example.com", tags: ["one,two"] }
      ]
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("")
      const request = { createTags: true, format: "ndjson" } as const
      const dry = yield* importAll(organization, text, { ...request, dryRun: true })
      const done = yield* importAll(organization, text, request)
      assert.deepStrictEqual(counts(done), { rows: 2, created: 1, updated: 0, unchanged: 0, bad: 1 })
      assert.deepStrictEqual(counts(dry), counts(done))
      assert.include((yield* faultLines(organization, done))[0], 'There is no tag with the name ""one,two"", and it is')
      assert.deepStrictEqual([...(yield* tagNames(organization)).values()], ["one,two"])
    }))

  test("come apart at the separator that is said, and have commas if it is another", () =>
    Effect.gen(function* () {
      const text = csv("email,tags", 'a@example.com,"x, y;z|w"')
      for (const [tagSeparator, names] of [
        ["comma", "x / y;z|w"],
        ["semicolon", "x, y / z|w"],
        ["pipe", "w / x, y;z"]
      ] as const) {
        const organization = yield* givenOrganization()
        const done = yield* importAll(organization, text, { createTags: true, tagSeparator })
        assert.deepStrictEqual([done.tagSeparator, done.counts.bad], [tagSeparator, 0])
        assert.strictEqual(Array.from((yield* tagNames(organization)).values()).join(" / "), names)
      }
    }))
})

describe("the result of an import", () => {
  const ending = ({ error, outcome, state, summary }: ContactImport) => [state, outcome, summary, error]

  test("has an outcome and a sentence after the end", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const text = csv("email", "a@example.com", "wrong", "b@example.com")
      const asked = yield* Effect.orDie(ask(organization, text, { dryRun: true }))
      assert.deepStrictEqual(ending(asked), ["queued", null, null, null])
      yield* work
      assert.deepStrictEqual(ending(yield* read(organization, asked)), [
        "succeeded",
        "partial",
        "2 of 3 rows would be imported: 2 created, 0 updated, 0 unchanged. 1 row is invalid.",
        null
      ])
      assert.deepStrictEqual(ending(yield* importAll(organization, csv("email", "a@example.com"))), [
        "succeeded",
        "complete",
        "1 row was imported: 1 created, 0 updated, 0 unchanged.",
        null
      ])
      assert.deepStrictEqual(ending(yield* importAll(organization, csv("email"))), [
        "succeeded",
        "nothing",
        "The file has no rows.",
        null
      ])
      const stopped = yield* Effect.orDie(ask(organization, text))
      yield* cancelJob({ id: stopped.jobId }).pipe(asOwnerOf(organization))
      yield* work
      assert.deepStrictEqual(ending(yield* read(organization, stopped)), [
        "cancelled",
        "nothing",
        "Nothing was imported.",
        null
      ])
    }))

  test("is a failure if every row is bad, in a dry run as well", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      for (const [dryRun, input] of [
        [true, "Nothing would be imported: all 2 rows are invalid."],
        [false, "Nothing was imported: all 2 rows are invalid."]
      ] as const) {
        const done = yield* importAll(organization, csv("email", "wrong", "worse"), { dryRun })
        assert.deepStrictEqual(ending(done), ["failed", "nothing", input, input])
        assert.deepStrictEqual(counts(done), { rows: 2, created: 0, updated: 0, unchanged: 0, bad: 2 })
        assert.deepStrictEqual(yield* faultLines(organization, done), [
          "2,email,Expected an e-mail address,wrong",
          "3,email,Expected an e-mail address,worse"
        ])
      }
    }))
})

const rowsOf = (many: number) =>
  csv(
    "name,email,phone,marketing,tags",
    ...Array.from({ length: many }, (_, at) => {
      // Some rows are about the person of an earlier one, in another step as well, and some are bad.
      const who = at % 7 === 3 ? at - 3 : at
      const email = at % 11 === 5 ? "bad" : `p${who}@example.com`
      return `Person ${at},${email},,${at % 2 === 0 ? "subscribed" : ""},${at % 3 === 0 ? "Third" : ""}`
    })
  )

const result = Effect.fnUntraced(function* (organization: Organization, asked: ContactImport) {
  const done = yield* read(organization, asked)
  const log = yield* EventLog
  const events = yield* log.list(["contacts.imported", "tag.created"], all).pipe(asOperatorOf(organization))
  const history = yield* ContactHistory
  const contacts = yield* everyone(organization)
  const names = yield* tagNames(organization)
  const consents = yield* Effect.forEach(contacts.slice(0, 20), ({ id }) => history.consents(id, all)).pipe(
    asOperatorOf(organization)
  )
  return {
    state: done.state,
    counts: counts(done),
    faults: yield* faultLines(organization, done),
    contacts: contacts.map((contact) => [contact.version, known(contact), contact.tags.map((id) => names.get(id))]),
    consents: consents.map((entries) => entries.map(({ state }) => state)),
    events: events.map(({ event }) => event.type)
  }
})

/** Ports of a process that dies before or after this call number, among the calls of a step. */
const dyingAt = Effect.fnUntraced(function* (number: number, isBefore: boolean) {
  const [contacts, imports, queue] = [yield* Contacts, yield* ContactImports, yield* JobQueue]
  let calls = 0
  const counted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      calls += 1
      if (calls !== number) return effect
      const death = Effect.die(new Error("connect ECONNREFUSED"))
      return isBefore ? death : Effect.andThen(effect, death)
    })
  const around = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    work.pipe(
      Effect.provideService(Contacts, {
        ...contacts,
        insert: (rows) => counted(contacts.insert(rows)),
        saveAll: (rows) => counted(contacts.saveAll(rows))
      }),
      Effect.provideService(ContactImports, {
        ...imports,
        addFaults: (id, faults) => counted(imports.addFaults(id, faults))
      }),
      Effect.provideService(JobQueue, {
        ...queue,
        advance: (lease, step) => counted(queue.advance(lease, step)),
        finish: (lease, outcome) => counted(queue.finish(lease, outcome))
      })
    )
  return { around, reached: () => calls >= number }
})

describe("a process that dies", () => {
  test(
    "anywhere in a step leaves nothing of it, and the next one goes on so that no row is lost or counts twice",
    () =>
      Effect.gen(function* () {
        const text = rowsOf(1_100)
        const undisturbed = yield* Effect.gen(function* () {
          const organization = yield* givenOrganization({ plan: "growth" })
          const asked = yield* ask(organization, text, { createTags: true })
          yield* work
          return yield* result(organization, asked)
        })
        assert.strictEqual(undisturbed.state, "succeeded")
        assert.isAbove(undisturbed.counts.updated ?? 0, 100)
        for (let number = 1; ; number++) {
          const organization = yield* givenOrganization({ plan: "growth" })
          const asked = yield* ask(organization, text, { createTags: true })
          const { around, reached } = yield* dyingAt(number, number % 2 === 0)
          yield* around(work)
          yield* TestClock.adjust("10 seconds")
          yield* work
          assert.deepStrictEqual(yield* result(organization, asked), undisturbed, `died at call ${number}`)
          if (!reached()) break
        }
      }),
    60_000
  )

  test("between two steps is replaced by another, which goes on behind the last step", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const asked = yield* ask(organization, rowsOf(1_100), { createTags: true })
      const queue = yield* JobQueue
      const reached = yield* Deferred.make<void>()
      let steps = 0
      const stuck = Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
      const doomed = work.pipe(
        Effect.provideService(JobQueue, {
          ...queue,
          advance: (lease, step) => Effect.suspend(() => (steps++ === 0 ? queue.advance(lease, step) : stuck)),
          giveBack: () => Effect.die("gone")
        })
      )
      const node = yield* Effect.forkChild(doomed)
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(node)
      const left = yield* read(organization, asked)
      assert.deepStrictEqual([left.state, left.counts.rows], ["running", 1_000])
      yield* work
      const done = yield* read(organization, asked)
      assert.deepStrictEqual([done.state, done.counts.rows], ["succeeded", 1_100])
    }))
})

describe("a contact that is added concurrently", () => {
  const racing = Effect.fnUntraced(function* (organization: Organization, often: number) {
    const contacts = yield* Contacts
    let left = often
    return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(effect, Contacts, {
        ...contacts,
        insert: (rows) =>
          Effect.suspend(() => {
            const [first] = rows
            return left-- > 0 && first !== undefined
              ? Effect.fail(new ContactExists({ contactId: first.id, kind: "email" }))
              : contacts.insert(rows)
          })
      }).pipe(Effect.annotateLogs({ organization: organization.id }))
  })

  test("is found by the next look", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const asked = yield* ask(organization, csv("email", "a@example.com"))
      yield* (yield* racing(organization, 3))(work)
      const done = yield* read(organization, asked)
      assert.deepStrictEqual([done.state, done.counts.created], ["succeeded", 1])
    }))

  test("does not fail the import, however often it happens within a minute", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const asked = yield* ask(organization, csv("email", "a@example.com"))
      const race = yield* racing(organization, 12)
      for (let round = 0; round < 4; round++) {
        yield* race(work)
        yield* TestClock.adjust("8 seconds")
      }
      assert.strictEqual((yield* read(organization, asked)).state, "succeeded")
    }))
})

const isThere = (organization: Organization, id: FileId) =>
  Effect.flatMap(Files, (files) =>
    Effect.match(Stream.runDrain(files.read(id, 0)), { onSuccess: () => true, onFailure: () => false })
  ).pipe(asOperatorOf(organization))

const orderOf = (organization: Organization, { id }: ContactImport) =>
  Effect.flatMap(ContactImports, (imports) => imports.get(id)).pipe(asOperatorOf(organization))

describe("the file of an import", () => {
  test("is gone when the job has ended, however it did", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const [done, stopped] = [yield* ask(organization, csv("email", "a@b.de")), yield* ask(organization, csv("email"))]
      yield* cancelJob({ id: stopped.jobId }).pipe(asOwnerOf(organization))
      const files = [yield* orderOf(organization, done), yield* orderOf(organization, stopped)]
      yield* work
      yield* (yield* ContactImportCleanup).sweep().pipe(asOwnerOf(organization))
      for (const { fileId } of files) assert.isFalse(yield* isThere(organization, fileId))
    }))

  test("may not be larger than is allowed", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const pieces = Stream.fromIterable([new Uint8Array(600), new Uint8Array(600)])
      const error = yield* receiveContactFile({ bytes: pieces, max: 1_000 }).pipe(asOwnerOf(organization), Effect.flip)
      assert.strictEqual(error._tag, "FileTooLarge")
    }))

  test("is deleted without an import and stays with one", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const unused = yield* receive(organization, csv("email"))
      const used = yield* orderOf(organization, yield* ask(organization, csv("email")))
      for (const id of [unused.id, used.fileId]) yield* dropContactFile({ id }).pipe(asOwnerOf(organization))
      assert.isFalse(yield* isThere(organization, unused.id))
      assert.isTrue(yield* isThere(organization, used.fileId))
    }))
})
