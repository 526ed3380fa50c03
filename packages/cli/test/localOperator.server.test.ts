import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { CurrentActor, CurrentOrganization } from "@parley/domain/kernel"
import { AuditEvent, AuditLog, Organization } from "@parley/domain/platform"
import { createSchedule } from "@parley/domain/automation"
import { Effect, FileSystem, Schema } from "effect"
import { asService } from "./support/asService.ts"
import { commandLine, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

const Entries = Schema.Array(AuditEvent)

const everything = { actorId: null, targetKind: null, targetId: null, action: null, from: null, to: null }

/** The comparable parts of an entry. */
const partsOf = ({ action, actor, after, before, requestId, target }: AuditEvent) => ({
  action,
  actor,
  after,
  before,
  requestId,
  kind: target.kind
})

describe("the operator of a database", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("leaves the same audit entry as a call of the use case", () =>
      Effect.gen(function* () {
        const environment = yield* OnServer
        const { parley } = commandLine(environment)
        const { id } = yield* printed(Organization, yield* parley("orgs", "create", "Audited", "--json"))
        const created = yield* parley("schedules", "create", "--name", "Office", "--weekly", "{}", "-q", "--org", id)
        assert.strictEqual(created.err, "")
        const entries = yield* asService(
          environment,
          Effect.gen(function* () {
            yield* createSchedule({ name: "Office", weekly: {} })
            return yield* (yield* AuditLog).list(
              { ...everything, action: "schedule.created" },
              { limit: 2, after: null }
            )
          }).pipe(
            Effect.provideService(CurrentOrganization, { id }),
            Effect.provideService(CurrentActor, { kind: "operator", name: "otto" })
          )
        )
        const [direct, command] = entries.map(partsOf)
        assert.isDefined(command)
        assert.deepStrictEqual(command, direct)
        assert.deepInclude(command, { actor: { kind: "operator", id: "otto" }, requestId: null })
        assert.strictEqual(entries[1]?.target.id, created.out.trim())
      })
    )

    it.effect("is the source of the request when acting as a member", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        yield* parley("orgs", "create", "Members")
        yield* parley("users", "create", "ann@local.example")
        yield* parley("members", "add", "--org", "members", "ann@local.example", "--role", "owner")
        const mailed = yield* parley(
          "members",
          "invite",
          "--org",
          "members",
          "bob@local.example",
          "--role",
          "agent",
          "--mail"
        )
        assert.deepStrictEqual(mailed, {
          code: 1,
          out: "",
          err: "parley: This service has no mail server configured. Repeat the command without --mail to print the link."
        })
        const issue = ["tokens", "issue", "--org", "members", "--as", "ann@local.example", "--name", "CI"]
        assert.strictEqual((yield* parley(...issue, "--permission", "members.read")).code, 0)
        const found = yield* parley("audit", "list", "--org", "members", "--limit", "1", "--json")
        const [entry] = yield* printed(Entries, found)
        assert.deepStrictEqual([entry?.actor.kind, entry?.requestId], ["user", "operator:otto"])
      })
    )

    it.effect("reads refusals without terms of HTTP", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-cli-" })
        yield* fs.writeFileString(`${folder}/rows.csv`, `email\r\n${"ada@example.com\r\n".repeat(100)}`)
        const { parley } = commandLine({ ...(yield* OnServer), PARLEY_MAX_IMPORT_BYTES: "1024" })
        yield* parley("orgs", "create", "Limited")
        const tooLarge = yield* parley("contacts", "import", `${folder}/rows.csv`, "--org", "limited")
        assert.deepStrictEqual(tooLarge, {
          code: 1,
          out: "",
          err: "parley: The file exceeds 1 KiB. Split the file."
        })
        const empty = yield* parley("schedules", "create", "--org", "limited", "--name", "Office", "--weekly", "[]")
        assert.strictEqual(empty.out, "")
        assert.notMatch(empty.err, /unexpected|HTTP|status|request/iu)
      }).pipe(Effect.provide(NodeServices.layer))
    )
  })
})
