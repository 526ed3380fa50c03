import { assert } from "@effect/vitest"
import { runDueJobs } from "@parley/domain/platform"
import { layerJobKinds, type Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { type Answer, call } from "../harness/Http.ts"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { as, givenContacts, ours } from "../harness/crm.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshText,
  givenContact,
  givenContactField,
  givenPerson,
  givenTag,
  givenTenant,
  type Tenant
} from "../harness/tenants.ts"

const csv = (...lines: ReadonlyArray<string>) => lines.map((line) => `${line}\r\n`).join("")

const sendFile =
  (tenant: Tenant) =>
  (text: string, query = "", headers: Record<string, string> = {}) =>
    call("POST", `/api/v1/contacts/imports${query}`, {
      ...ours(tenant),
      text,
      headers: { "content-type": "text/csv", ...headers }
    })

/** Looks for work as a node does, until the import is over, and reads it. */
const finished = Effect.fnUntraced(function* (tenant: Tenant, asked: Answer, state = "succeeded") {
  assertStatus(asked, 202)
  let answer = asked
  for (let second = 0; second < 20 && (answer.body.state === "queued" || answer.body.state === "running"); second++) {
    yield* TestClock.adjust("1 second")
    yield* Effect.provide(runDueJobs, layerJobKinds, { local: true })
    answer = yield* as(tenant)("GET", `/contacts/imports/${textAt(asked, "id")}`)
  }
  assert.strictEqual(answer.body.state, state, answer.text)
  return answer
})

/** Contacts from files and into files. */
export const contactTransferSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a file is imported by a job, and its bad rows can be read as CSV", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const tag = yield* givenTag(tenant.organization)
        const asked = yield* sendFile(tenant)(
          csv("Mail;Full name;Phone;When", "ada@example.com;Ada;0170 1234567;x", "wrong;=1+1;;y", "b@example.com;B;;"),
          `?map=Mail:email&map=Full%20name:name&map=Phone:phone&country=DE&delimiter=semicolon&tag=${tag.id}`
        )
        assertStatus(asked, 202)
        assert.deepStrictEqual(
          [
            asked.body.state,
            asked.body.dryRun,
            asked.body.country,
            asked.body.errorsUrl,
            at(asked.body.counts, "rows")
          ],
          ["queued", false, "DE", null, 0]
        )
        const done = yield* finished(tenant, asked)
        assert.deepStrictEqual(done.body.counts, {
          rows: 3,
          created: 2,
          updated: 0,
          unchanged: 0,
          bad: 1,
          suppressed: 0,
          unknownIds: 0
        })
        const job = yield* send("GET", `/jobs/${textAt(done, "jobId")}`)
        assert.deepStrictEqual(
          [job.body.kind, job.body.resultUrl],
          ["contacts.import", `/api/v1/contacts/imports/${textAt(done, "id")}`]
        )
        const errors = yield* call("GET", textAt(done, "errorsUrl"), ours(tenant))
        assertStatus(errors, 200)
        assert.strictEqual(errors.headers.get("content-type"), "text/csv; charset=utf-8")
        assert.strictEqual(
          errors.text,
          csv("line,column,reason,Mail,Full name,Phone,When", "3,Mail,Expected an e-mail address,wrong,'=1+1,,y")
        )
        const contacts = rowsOf(yield* send("GET", `/contacts?sort=createdAt&tag=${tag.id}`))
        assert.deepStrictEqual(
          contacts.map((row) => [at(row, "name"), at(row, "phone"), at(row, "email")]),
          [
            ["Ada", "+491701234567", "ada@example.com"],
            ["B", null, "b@example.com"]
          ]
        )
      })
    )

    it.effect("what cannot work is refused with pointers, and nothing is left of it", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = sendFile(tenant)
        for (const [text, query, pointers] of [
          ["", "", [""]],
          ["a,a\r\n", "", [""]],
          ["a,b\r\n", "", ["/query/map"]],
          ["name\r\n", "?map=other:name", ["/query/map/0"]],
          ["name,x\r\n", "?map=name:name&map=x:attribute.nothing", ["/query/map/1"]],
          ["name,x\r\n", "?map=name:name&map=x:name", ["/query/map/1"]],
          ["name\r\n", "?map=name:shoe", ["/query/map/0/target"]],
          ["name\r\n", "?map=name", ["/query/map/0"]],
          ["E-Mail,email address\r\n", "", ["/query/map"]],
          ["name,Notes,Score\r\n", "?strict=true", ["/query/strict", "/query/strict"]],
          ["name\r\n", "?tagSeparator=space", ["/query/tagSeparator"]],
          ["name\r\n", "?country=XX&dryRun=perhaps", ["/query/country", "/query/dryRun"]]
        ] as const) {
          const refused = yield* send(text, query)
          assertProblem(refused, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(refused).toSorted(), pointers.toSorted(), `${text} ${query}`)
        }
        const unknown = yield* send(csv("name"), `?tag=${tenant.organization.id}`)
        assertProblem(unknown, 404, "not_found")
        assert.strictEqual(unknown.body.pointer, "/query/tag/0")
        assertProblem(yield* send("{}", "", { "content-type": "application/json" }), 415, "unsupported_media_type")
        assert.isEmpty(idsOf(yield* as(tenant)("GET", "/jobs")))
      })
    )

    it.effect("each column is named with its target, and tag separators are reported", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const asked = yield* sendFile(tenant)(
          csv("E-mail address,Notes,Labels", 'ada@example.com,x,"VIP,Gold"'),
          "?createTags=true&tagSeparator=comma"
        )
        assert.deepStrictEqual(asked.body.columns, [
          { name: "E-mail address", field: "email" },
          { name: "Notes", field: null },
          { name: "Labels", field: "tags" }
        ])
        assert.deepStrictEqual(
          [asked.body.unknownColumns, asked.body.tagSeparator, asked.body.strict, asked.body.outcome],
          [["Notes"], "comma", false, null]
        )
        const done = yield* finished(tenant, asked)
        assert.deepStrictEqual(
          [done.body.unknownColumns, done.body.outcome, done.body.summary],
          [["Notes"], "complete", "1 row was imported: 1 created, 0 updated, 0 unchanged."]
        )
        const names = rowsOf(yield* as(tenant)("GET", "/tags")).map((row) => at(row, "name"))
        assert.deepStrictEqual(names, ["Gold", "VIP"])
      })
    )

    it.effect("a file with only invalid rows fails, also in a dry run, and its rows can be read", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const text = csv("email,tags", 'a@example.com,"tag0,tag7"')
        for (const [query, summary] of [
          ["?dryRun=true&createTags=true", "Nothing would be imported: the only row is invalid."],
          ["?createTags=true", "Nothing was imported: the only row is invalid."]
        ] as const) {
          const done = yield* finished(tenant, yield* sendFile(tenant)(text, query), "failed")
          assert.deepStrictEqual([done.body.outcome, done.body.summary, done.body.error], ["nothing", summary, summary])
          const job = yield* as(tenant)("GET", `/jobs/${textAt(done, "jobId")}`)
          assert.deepStrictEqual([job.body.state, job.body.error, at(job.body.counts, "bad")], ["failed", summary, 1])
          const errors = yield* call("GET", textAt(done, "errorsUrl"), ours(tenant))
          assert.include(errors.text, "set the tag separator to a comma")
        }
        assert.isEmpty(idsOf(yield* as(tenant)("GET", "/tags")))
      })
    )

    it.effect("a file that comes twice with one key is imported once", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = sendFile(tenant)
        const key = { "idempotency-key": yield* freshText("key") }
        const text = csv("name", "Only a name, so that a second import would add it again").replace(", so", " so")
        const first = yield* send(text, "", key)
        const second = yield* send(text, "", key)
        assert.deepStrictEqual([second.status, second.body], [202, first.body])
        assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
        assertProblem(yield* send(`${text}Another\r\n`, "", key), 422, "idempotency_key_reused")
        assertProblem(yield* send(text, "?dryRun=true", key), 422, "idempotency_key_reused")
        yield* finished(tenant, first)
        assert.lengthOf(idsOf(yield* as(tenant)("GET", "/contacts")), 1)
        assert.lengthOf(idsOf(yield* as(tenant)("GET", "/jobs")), 1)
        const refused = yield* send("a,b\r\n", "", { "idempotency-key": yield* freshText("key") })
        assertProblem(refused, 400, "validation_failed")
      })
    )

    it.effect("import and export need their permissions, and imports belong to their organization", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const agent = yield* givenPerson(tenant.organization, "agent")
        const asAgent = { token: agent.token, organization: tenant.organization.id }
        const headers = { "content-type": "text/csv" }
        const path = "/api/v1/contacts"
        for (const answer of [
          yield* call("POST", `${path}/imports`, { ...asAgent, text: "name\r\n", headers }),
          yield* call("GET", `${path}/export`, asAgent)
        ]) {
          assertProblem(answer, 403, "permission_denied")
        }
        const asked = yield* sendFile(tenant)(csv("name", "A"))
        for (const suffix of ["", "/errors"]) {
          const answer = yield* as(other)("GET", `/contacts/imports/${textAt(asked, "id")}${suffix}`)
          assertProblem(answer, 404, "not_found")
        }
      })
    )

    it.effect("an import that is cancelled stays where it is", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const asked = yield* sendFile(tenant)(csv("name", "A"))
        assertStatus(yield* as(tenant)("POST", `/jobs/${textAt(asked, "jobId")}/cancel`), 200)
        yield* Effect.provide(runDueJobs, layerJobKinds, { local: true })
        const after = yield* as(tenant)("GET", `/contacts/imports/${textAt(asked, "id")}`)
        assert.deepStrictEqual([after.body.state, at(after.body.counts, "rows")], ["cancelled", 0])
        assert.isEmpty(idsOf(yield* as(tenant)("GET", "/contacts")))
      })
    )

    it.effect("an export contains every requested contact, as CSV or as NDJSON", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const field = yield* givenContactField(tenant.organization)
        const tag = yield* givenTag(tenant.organization, { name: "=VIP;1" })
        const contact = yield* givenContact(tenant.organization, {
          name: "=HYPERLINK(1)",
          tags: [tag.id],
          attributes: { [field.key]: 'a "b", c' }
        })
        yield* givenContact(tenant.organization)
        const exported = yield* as(tenant)("GET", `/contacts/export?tag=${tag.id}`)
        assertStatus(exported, 200)
        assert.strictEqual(exported.headers.get("content-type"), "text/csv; charset=utf-8")
        const created = textAt(yield* as(tenant)("GET", `/contacts/${contact.id}`), "createdAt")
        const [header, row, ...rest] = exported.text.split("\r\n")
        assert.strictEqual(
          header,
          `id,name,phone,email,locale,timezone,marketing,tags,attribute.${field.key},createdAt,lastSeenAt`
        )
        assert.deepStrictEqual(rest, [""])
        assert.strictEqual(
          row,
          [
            contact.id,
            "'=HYPERLINK(1)",
            contact.phone ?? "",
            contact.email ?? "",
            "",
            "",
            contact.consent.marketing,
            String.raw`"'=VIP\;1"`,
            '"a ""b"", c"',
            created,
            ""
          ].join(",")
        )
        for (const [query, headers] of [
          ["&format=ndjson", {}],
          ["", { accept: "application/x-ndjson" }]
        ] as const) {
          const answer = yield* as(tenant)("GET", `/contacts/export?tag=${tag.id}${query}`, undefined, headers)
          assert.strictEqual(answer.headers.get("content-type"), "application/x-ndjson")
          const lines = answer.text.split("\n")
          assert.lengthOf(lines, 2)
          assert.deepInclude(JSON.parse(lines[0] ?? ""), { id: contact.id, tags: ["=VIP;1"] })
        }
      })
    )

    it.effect(
      "an export of several pages contains each contact once, and imports without a change",
      () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant("growth")
          const contacts = yield* givenContacts(tenant.organization, 1_001)
          const exported = yield* as(tenant)("GET", "/contacts/export")
          const ids = exported.text
            .split("\r\n")
            .slice(1, -1)
            .map((line) => line.slice(0, 36))
          assert.deepStrictEqual(ids, contacts.map(({ id }) => id).toSorted())
          const done = yield* finished(tenant, yield* sendFile(tenant)(exported.text))
          assert.deepStrictEqual(done.body.counts, {
            rows: 1001,
            created: 0,
            updated: 0,
            unchanged: 1001,
            bad: 0,
            suppressed: 0,
            unknownIds: 0
          })
          assertProblem(
            yield* as(tenant)("GET", "/contacts/export?filter=%7B%22field%22:%22shoe%22%7D"),
            400,
            "validation_failed"
          )
        }),
      20_000
    )
  })
