import { assert } from "@effect/vitest"
import { Config, Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assertStatus } from "./harness/answers.ts"
import { type Endpoint, endpoints } from "./harness/contract.ts"
import { call } from "./harness/Http.ts"
import { inRealTime, layerPorts } from "./harness/postgres.ts"
import { validRequest } from "./harness/requests.ts"
import { givenSender } from "./harness/sending.ts"
import { overHttp } from "./harness/service.ts"
import { type Asked, layerStatementCounter, StatementCounter } from "./harness/statementCounter.ts"
import { givenTenant } from "./harness/tenants.ts"

/** Database statements of this kind of request after the caller, their permissions and the plan are cached. */
const askedBy = Effect.fnUntraced(function* (endpoint: Endpoint) {
  const { during } = yield* StatementCounter
  const tenant = yield* givenTenant()
  const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
  const caller = { token: tenant.owner.token, organization: tenant.organization.id }
  assertStatus(yield* call("GET", "/api/v1/automations", caller), 200)
  const [answer, asked] = yield* during(call(endpoint.method, path, what))
  assertStatus(answer, endpoint.success)
  return asked
})

const names = (tables: Iterable<string>) => Array.from(tables).toSorted().join(", ")

/** Statements that send this number of messages over one chat number, each in another conversation. */
const sending = Effect.fnUntraced(function* (count: number) {
  const { during } = yield* StatementCounter
  const { organization } = yield* givenTenant()
  const [, asked] = yield* Effect.flatMap(givenSender(organization, count), ({ send }) => during(send)).pipe(
    Effect.scoped
  )
  return rowOf(count === 1 ? "1 message" : `${count} messages`, asked)
})

const rowOf = (what: string, { advisory, commits, locked, roundTrips, statements, written }: Asked) => {
  const lockedOnly = Array.from(locked).filter((table) => !written.has(table))
  const others = advisory === 0 ? [] : [advisory === 1 ? "1 advisory lock" : `${advisory} advisory locks`]
  const cells = [
    what,
    statements,
    commits,
    roundTrips,
    names(written),
    [names(lockedOnly), ...others].filter((cell) => cell !== "").join("; ")
  ]
  return `| ${cells.join(" | ")} |`
}

const intro = `# Statements of each request

Database use of each request, counted at the socket:

- statements, including \`BEGIN\` and \`COMMIT\`;
- committed transactions, and their round trips (the number of waits for an answer);
- written tables, and other locks at the last commit.

The caller, the permissions and the plan are cached, as in two requests within half a second. New connections and notifications of other processes
after a commit are not counted, because no request waits for them.

A test compares this page with the service: \`packages/http-adapter/test/statements.test.ts\` fails if a request uses more. With
\`PARLEY_WRITE_STATEMENTS=true\` it writes this page. With \`PARLEY_MEASURE_WAL=true\` it prints the WAL size of each request, which is
meaningful only on a server without other users.

The last section counts the background work that sends queued messages of one number after a worker owns the lane. The counts are the same
for one message and for many. Each message belongs to another conversation.`

const table = [
  "| Request | Statements | Transactions | Round trips in them | Written | Other locks |",
  "| --- | --- | --- | --- | --- | --- |"
]

const sent = ["| Sent | Statements | Transactions | Round trips in them | Written | Other locks |", ...table.slice(1)]

const file = fileURLToPath(new URL("../../../docs/statements.md", import.meta.url))

const groupOf = ({ id }: Endpoint) => id.slice(0, id.indexOf("."))

const ports = layerPorts(inRealTime(layerStatementCounter))

overHttp("what requests ask of the database", ports, (it) => {
  it.effect(
    "equal the recorded list",
    () =>
      Effect.gen(function* () {
        const flag = (name: string) => Effect.orDie(Config.Boolean(name).pipe(Config.withDefault(false)))
        const [isWritten, measuresWal] = [yield* flag("PARLEY_WRITE_STATEMENTS"), yield* flag("PARLEY_MEASURE_WAL")]
        const groups = new Map<string, Array<string>>()
        for (const endpoint of endpoints) {
          const asked = yield* askedBy(endpoint)
          const group = groupOf(endpoint)
          groups.set(group, [...(groups.get(group) ?? []), rowOf(`\`${endpoint.method} ${endpoint.path}\``, asked)])
          if (measuresWal) {
            process.stdout.write(`${endpoint.id}: ${asked.walBytes} bytes\n`)
          }
        }
        const sections = Array.from(groups, ([group, rows]) => [`## ${group}`, "", ...table, ...rows].join("\n"))
        sections.push(["## Sending messages", "", ...sent, yield* sending(1), yield* sending(16)].join("\n"))
        const page = `${[intro, ...sections].join("\n\n")}\n`
        if (isWritten) writeFileSync(file, page)
        assert.strictEqual(page, readFileSync(file, "utf8"))
      }),
    300_000
  )
})
