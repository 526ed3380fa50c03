import { assert, describe, layer } from "@effect/vitest"
import { Member, Organization, User } from "@parley/domain/platform"
import { Effect, Schema } from "effect"
import { loginAt } from "./support/asService.ts"
import { commandLine, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

const UserWithPassword = Schema.Struct({ ...User.fields, password: Schema.String })

const passwordIn = (text: string) => /Password \(shown once\): (\S+)$/.exec(text)?.[1] ?? ""

describe("the commands about tenants, on a server", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("create an organization, find it by slug and by id, and list it", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        const created = yield* parley(
          "orgs",
          "create",
          "Müller & Söhne",
          "--plan",
          "growth",
          "--locale",
          "de",
          "--json"
        )
        const organization = yield* printed(Organization, created)
        assert.deepInclude(organization, { slug: "muller-sohne", plan: "growth", locale: "de", status: "active" })

        const bySlug = yield* parley("orgs", "show", "muller-sohne")
        assert.match(bySlug.out, /^SLUG +muller-sohne$/m)
        const byId = yield* printed(Organization, yield* parley("orgs", "show", organization.id, "--json"))
        assert.deepStrictEqual(byId, organization)

        const people = yield* parley("orgs", "list")
        assert.match(people.out, /^ID +SLUG +NAME +PLAN +STATUS +CREATED\n/)
        assert.include(people.out, "Müller & Söhne")
        const programs = yield* printed(Schema.Array(Organization), yield* parley("orgs", "list", "--json"))
        assert.isTrue(programs.some(({ id }) => id === organization.id))
        const ids = yield* parley("orgs", "list", "--quiet")
        assert.include(ids.out.split("\n"), organization.id)
      })
    )

    it.effect("cut a long list, and say so", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        yield* parley("orgs", "create", "First of many")
        yield* parley("orgs", "create", "Second of many")
        const cut = yield* parley("orgs", "list", "--limit", "1", "--quiet")
        assert.strictEqual(cut.out.split("\n").length, 1)
        assert.include(cut.err, "Raise --limit")
      })
    )

    it.effect("refuse a slug that is taken and an organization that is not there, in one line", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        yield* parley("orgs", "create", "Twice")
        assert.deepStrictEqual(yield* parley("orgs", "create", "Twice"), {
          code: 1,
          out: "",
          err: "parley: An organization with the slug twice already exists."
        })
        const nowhere = yield* parley("orgs", "show", "nowhere")
        assert.deepStrictEqual([nowhere.code, nowhere.out, nowhere.err.split("\n").length], [1, "", 1])
        assert.match(nowhere.err, /^parley: The organization "nowhere" does not exist\. Available: .*twice/)
        assert.match((yield* parley("orgs", "show", "twcie")).err, /"twcie" does not exist\. Did you mean twice\?$/)
        assert.match(
          (yield* parley("members", "list", "--org", "wic")).err,
          /"wic" does not exist\. Did you mean twice\?$/
        )
      })
    )

    it.effect("create an organization and its owner together, or neither", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        const failed = yield* parley("orgs", "create", "Ownerless", "--owner", "nobody@cli.example")
        assert.strictEqual(failed.code, 1)
        assert.strictEqual((yield* parley("orgs", "show", "ownerless")).code, 1)

        yield* parley("users", "create", "olga@cli.example")
        yield* parley("orgs", "create", "Owned", "--owner", "OLGA@cli.example")
        const [member] = yield* printed(
          Schema.Array(Member),
          yield* parley("members", "list", "--org", "owned", "--json")
        )
        assert.deepInclude(member, { email: "olga@cli.example", role: "owner", status: "active" })
      })
    )

    it.effect("put an organization on another plan", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        yield* parley("orgs", "create", "Growing")
        const changed = yield* printed(Organization, yield* parley("orgs", "set-plan", "growing", "scale", "--json"))
        assert.deepInclude(changed, { plan: "scale", version: 2 })
        assert.strictEqual((yield* parley("orgs", "set-plan", "growing", "huge")).code, 2)
      })
    )

    it.effect("suspend an organization, which keeps its people out until it is resumed", () =>
      Effect.gen(function* () {
        const environment = yield* OnServer
        const { parley } = commandLine(environment)
        const { id } = yield* printed(Organization, yield* parley("orgs", "create", "Late Payer", "--json"))
        const { password } = yield* printed(
          UserWithPassword,
          yield* parley("users", "create", "pia@cli.example", "--json")
        )
        yield* parley("members", "add", "--org", "late-payer", "pia@cli.example", "--role", "owner")
        yield* loginAt(environment, "pia@cli.example", password, id)

        const unasked = yield* parley("orgs", "suspend", "late-payer")
        assert.strictEqual(unasked.code, 2)
        assert.include(unasked.err, "--yes")
        yield* loginAt(environment, "pia@cli.example", password, id)

        assert.strictEqual((yield* parley("orgs", "suspend", "late-payer", "--yes")).code, 0)
        const refused = yield* Effect.flip(loginAt(environment, "pia@cli.example", password, id))
        assert.strictEqual(refused._tag, "OrganizationForbidden")

        const resumed = yield* printed(Organization, yield* parley("orgs", "resume", "late-payer", "--json"))
        assert.strictEqual(resumed.status, "active")
        yield* loginAt(environment, "pia@cli.example", password, id)
      })
    )

    it.effect("create a user whose password is shown once, and opens the service", () =>
      Effect.gen(function* () {
        const environment = yield* OnServer
        const { parley } = commandLine(environment)
        const created = yield* parley("users", "create", " Ann@CLI.example ", "--name", "Ann")
        assert.match(created.out, /^EMAIL +ann@cli\.example$/m)
        yield* loginAt(environment, "ann@cli.example", passwordIn(created.out))

        const list = yield* printed(Schema.Array(User), yield* parley("users", "list", "--json"))
        assert.deepInclude(
          list.find(({ email }) => email === "ann@cli.example"),
          { name: "Ann", status: "active" }
        )
        assert.strictEqual((yield* parley("users", "create", "ann@cli.example")).code, 1)
      })
    )

    it.effect("take a password from the standard input, and never print that", () =>
      Effect.gen(function* () {
        const environment = yield* OnServer
        const { parleyWithInput } = commandLine(environment)
        const created = yield* parleyWithInput(
          "s3cret words\n",
          "users",
          "create",
          "ben@cli.example",
          "--password-stdin"
        )
        assert.notInclude(created.out, "s3cret words")
        yield* loginAt(environment, "ben@cli.example", "s3cret words")
        const short = yield* parleyWithInput("short\n", "users", "create", "bob@cli.example", "--password-stdin")
        assert.deepStrictEqual(short, { code: 2, out: "", err: "parley: The password must have 8 to 256 characters." })
      })
    )

    it.effect("disable a user, let them in again, and reset their password", () =>
      Effect.gen(function* () {
        const environment = yield* OnServer
        const { parley } = commandLine(environment)
        const first = passwordIn((yield* parley("users", "create", "cleo@cli.example")).out)

        assert.strictEqual((yield* parley("users", "disable", "cleo@cli.example")).code, 2)
        const disabled = yield* printed(User, yield* parley("users", "disable", "cleo@cli.example", "--yes", "--json"))
        assert.strictEqual(disabled.status, "disabled")
        assert.strictEqual(
          (yield* Effect.flip(loginAt(environment, "cleo@cli.example", first)))._tag,
          "InvalidCredentials"
        )
        assert.match((yield* parley("users", "enable", disabled.id)).out, /^STATUS +active$/m)
        yield* loginAt(environment, "cleo@cli.example", first)

        assert.strictEqual((yield* parley("users", "reset-password", "cleo@cli.example")).code, 2)
        const second = passwordIn((yield* parley("users", "reset-password", "cleo@cli.example", "-y")).out)
        assert.strictEqual(
          (yield* Effect.flip(loginAt(environment, "cleo@cli.example", first)))._tag,
          "InvalidCredentials"
        )
        yield* loginAt(environment, "cleo@cli.example", second)
      })
    )

    it.effect("add, change and remove members, but never the last owner", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        yield* parley("orgs", "create", "Team")
        yield* parley("users", "create", "dora@cli.example")
        yield* parley("users", "create", "emil@cli.example")
        assert.match(
          (yield* parley("members", "add", "--org", "team", "dora@cli.example", "--role", "owner")).out,
          /^ROLE +owner$/m
        )
        const emil = yield* printed(
          Member,
          yield* parley("members", "add", "--org", "team", "emil@cli.example", "--role", "agent", "--json")
        )
        assert.strictEqual(
          (yield* parley("members", "add", "--org", "team", "emil@cli.example", "--role", "agent")).code,
          1
        )

        const changed = yield* parley("members", "set-role", "--org", "team", "Emil@cli.example", "admin", "--json")
        assert.strictEqual((yield* printed(Member, changed)).role, "admin")
        assert.match((yield* parley("members", "list", "--org", "team")).out, /emil@cli\.example +emil +admin +active/)

        assert.strictEqual((yield* parley("members", "remove", "--org", "team", emil.id)).code, 2)
        assert.strictEqual(
          (yield* parley("members", "remove", "--org", "team", emil.id, "--yes")).out,
          "Removed emil@cli.example."
        )
        assert.strictEqual((yield* parley("members", "remove", "--org", "team", emil.id, "--yes")).code, 1)
        const last = yield* parley("members", "remove", "--org", "team", "dora@cli.example", "--yes")
        assert.strictEqual(last.code, 1)
        assert.match(last.err, /^parley: The last owner/)
      })
    )
  })
})
