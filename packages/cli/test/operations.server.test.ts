import { assert, describe, layer } from "@effect/vitest"
import { AuditEvent, ListedAutomationToken, Organization, TokenSigner } from "@parley/domain/platform"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { Effect, Redacted, Schema } from "effect"
import { asService } from "./support/asService.ts"
import { commandLine, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

const IssuedToken = Schema.Struct({ ...ListedAutomationToken.fields, token: Schema.String })

const Key = Schema.Struct({ kid: Schema.String, createdAt: Schema.String, active: Schema.Boolean })

const Finding = Schema.Struct({
  check: Schema.String,
  status: Schema.String,
  found: Schema.String,
  advice: Schema.NullOr(Schema.String)
})

const Step = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  phase: Schema.String,
  state: Schema.String,
  release: Schema.NullOr(Schema.String),
  appliedAt: Schema.NullOr(Schema.String)
})

const verify = (token: string) =>
  Effect.flatMap(TokenSigner, (signer) => signer.verify(Redacted.make(token), ["automation"]))

describe("the commands about operations, on a server", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("issue an automation token in a member's name, list it and revoke it", () =>
      Effect.gen(function* () {
        const environment = yield* OnServer
        const { parley } = commandLine(environment)
        const organization = yield* printed(Organization, yield* parley("orgs", "create", "Tokens", "--json"))
        yield* parley("users", "create", "ann@ops.example")
        yield* parley("members", "add", "--org", "tokens", "ann@ops.example", "--role", "admin")
        const issue = ["tokens", "issue", "--org", "tokens", "--as", "ann@ops.example", "--permission", "members.read"]

        const issued = yield* printed(
          IssuedToken,
          yield* parley(...issue, "--name", "ERP", "--expires-in", "12h", "--json")
        )
        assert.deepStrictEqual(issued.permissions, ["members.read"])
        assert.deepInclude(yield* asService(environment, verify(issued.token)), {
          use: "automation",
          tokenId: issued.id,
          organizationId: organization.id
        })
        const alone = yield* parley(...issue, "--name", "CI", "--quiet")
        yield* asService(environment, verify(alone.out))
        assert.match((yield* parley(...issue, "--name", "Shop")).out, /^Token \(shown once\): ey/m)

        assert.match((yield* parley("tokens", "list", "--org", "tokens")).out, /ERP +members\.read/)
        const adopt = (as: string) => parley("tokens", "adopt", "--org", "tokens", "--as", as, issued.id)
        assert.match((yield* adopt("ann@ops.example")).err, /owners\.manage/)
        yield* parley("users", "create", "olga@ops.example")
        yield* parley("members", "add", "--org", "tokens", "olga@ops.example", "--role", "owner")
        yield* parley("users", "disable", "ann@ops.example", "--yes")
        assert.match((yield* parley("tokens", "list", "--org", "tokens")).out, /ERP.*responsible_disabled/)
        assert.match((yield* adopt("olga@ops.example")).out, /STATUS +active/)
        assert.strictEqual((yield* parley("tokens", "revoke", "--org", "tokens", issued.id)).code, 2)
        assert.strictEqual(
          (yield* parley("tokens", "revoke", "--org", "tokens", issued.id, "-y")).out,
          `Revoked ${issued.id}.`
        )
        const list = yield* printed(
          Schema.Array(ListedAutomationToken),
          yield* parley("tokens", "list", "--org", "tokens", "--json")
        )
        const revoked = list.filter(({ revokedAt }) => revokedAt !== null)
        assert.deepStrictEqual(
          revoked.map(({ id }) => id),
          [issued.id]
        )
      })
    )

    it.effect("issue no token in the name of who could not, or may not that much", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        yield* parley("orgs", "create", "Careful")
        yield* parley("users", "create", "vic@ops.example")
        const issue = ["tokens", "issue", "--org", "careful", "--as", "vic@ops.example", "--name", "X", "--permission"]
        assert.match((yield* parley(...issue, "members.read")).err, /is not a member of careful/)
        yield* parley("members", "add", "--org", "careful", "vic@ops.example", "--role", "viewer")
        const refused = yield* parley(...issue, "members.read")
        assert.deepStrictEqual([refused.code, refused.err], [1, "parley: This needs the permission tokens.manage."])
        yield* parley("members", "set-role", "--org", "careful", "vic@ops.example", "admin")
        assert.match((yield* parley(...issue, "owners.manage")).err, /owners\.manage/)
        yield* parley("users", "disable", "vic@ops.example", "--yes")
        assert.match((yield* parley(...issue, "members.read")).err, /is disabled/)
        yield* parley("users", "enable", "vic@ops.example")
        yield* parley("orgs", "suspend", "careful", "--yes")
        assert.match((yield* parley(...issue, "members.read")).err, /is suspended/)
      })
    )

    it.effect("rotate the signing key, and list both", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        const before = yield* printed(Schema.Array(Key), yield* parley("keys", "list", "--json"))
        const made = yield* printed(Key, yield* parley("keys", "rotate", "--json"))
        assert.isTrue(made.active)
        const after = yield* printed(Schema.Array(Key), yield* parley("keys", "list", "--json"))
        assert.deepStrictEqual(
          after.map(({ kid }) => kid),
          [made.kid, ...before.map(({ kid }) => kid)]
        )
        assert.match((yield* parley("keys", "list")).out, /signs and verifies\n.* verifies$/)
      })
    )

    it.effect("write the operator's name into the audit trail, and read it back", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        yield* parley("orgs", "create", "Watched")
        yield* parley("orgs", "set-plan", "watched", "growth", "--operator-name", "olaf")
        const trail = yield* printed(
          Schema.Array(AuditEvent),
          yield* parley("audit", "list", "--org", "watched", "--json")
        )
        assert.deepStrictEqual(
          trail.map(({ action, actor }) => [action, actor.kind, actor.id]),
          [
            ["organization.plan_changed", "operator", "olaf"],
            ["organization.created", "operator", "otto"]
          ]
        )
        const filtered = yield* parley("audit", "list", "--org", "watched", "--action", "organization.created")
        assert.match(filtered.out, /operator:otto +organization\.created +organization:/)
        assert.notInclude(filtered.out, "olaf")
        assert.strictEqual(
          (yield* parley("audit", "list", "--org", "watched", "--from", "2100-01-01T00:00:00Z", "--json")).out,
          "[]"
        )
        assert.strictEqual((yield* parley("audit", "list", "--org", "watched", "--from", "soon")).code, 2)

        yield* parley("users", "create", "loner@ops.example")
        assert.match((yield* parley("audit", "list")).out, /user\.created/)
      })
    )

    it.effect("tell which migrations the database has", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        const steps = yield* printed(Schema.Array(Step), yield* parley("migrate", "--status", "--json"))
        assert.deepStrictEqual(
          steps.map(({ id, name, state }) => `${id} ${name} ${state}`),
          ["platform", "crm", "messaging", "integrations", "campaigns", "commerce", "analytics", "automation"].map(
            (name, index) => `${index + 1} ${name} applied`
          )
        )
        assert.strictEqual((yield* parley("migrate")).out, "The database is up to date.")
        assert.strictEqual((yield* parley("migrate", "--json")).out, "[]")
      })
    )

    it.effect("report no problem in a healthy installation, and each problem in a broken one", () =>
      Effect.gen(function* () {
        const environment = yield* OnServer
        const healthy = commandLine(environment).parley
        yield* healthy("keys", "list")
        const well = yield* healthy("doctor", "--port", "1", "--json")
        const findings = yield* printed(Schema.Array(Finding), well)
        const of = (check: string) => findings.find((finding) => finding.check === check)?.status
        assert.deepStrictEqual(
          ["node", "configuration", "database", "clock", "migrations", "master keys", "signing keys"].map(of),
          ["ok", "ok", "ok", "ok", "ok", "ok", "ok"]
        )

        const wrong = Redacted.value(yield* generateMasterKey("k1"))
        const { parley } = commandLine({ ...environment, PARLEY_MASTER_KEYS: wrong, PARLEY_DATABSE_URL: "x" })
        const ill = yield* parley("doctor")
        assert.strictEqual(ill.code, 1)
        assert.match(ill.out, /^failed +master keys /m)
        assert.match(ill.out, /-> set the keys that this database was created with; a new key cannot read it$/m)
        assert.match(ill.out, /-> use PARLEY_DATABASE_URL, or see `parley config` for the names$/m)
        assert.match(ill.out, /^warning +configuration +PARLEY_DATABSE_URL is set, but this setting does not exist$/m)
        assert.notInclude(ill.out, wrong)
        const refused = yield* parley("orgs", "list")
        assert.strictEqual(refused.code, 3)
        assert.match(refused.err, /^parley: PARLEY_MASTER_KEYS: expected the keys of this database/)
      })
    )

    it.effect("ask for the master keys of an external database and explain how to create one", () =>
      Effect.gen(function* () {
        const { PARLEY_DATABASE_URL = "" } = yield* OnServer
        const { parley } = commandLine({ PARLEY_DATABASE_URL })
        const refused = yield* parley("orgs", "list")
        assert.strictEqual(refused.code, 3)
        assert.match(refused.err, /^parley: PARLEY_MASTER_KEYS: .*parley keys generate-master/)
        const made = yield* parley("keys", "generate-master", "--id", "k9")
        assert.match(made.out, /^k9:/)
        const broken = yield* commandLine({ PARLEY_DATABASE_URL, PARLEY_MASTER_KEYS: "k1:short" }).parley(
          "orgs",
          "list"
        )
        assert.deepStrictEqual([broken.code, broken.err.split("\n").length], [3, 1])
      })
    )
  })
})
