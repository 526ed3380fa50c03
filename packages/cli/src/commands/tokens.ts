import { AutomationTokenId, Permission } from "@parley/domain/kernel"
import { ListedAutomationToken, SingleLineText } from "@parley/domain/platform"
import { Console, DateTime, Duration, Effect, Option, Redacted, Schema, SchemaTransformation, Stdio } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { collect, pageFlags, queryOf } from "../console/listing.ts"
import { printJson, printList, printOne, type View } from "../console/print.ts"
import { confirm } from "../console/prompts.ts"
import { typedArgument, typedFlag } from "../console/typed.ts"
import { sharedSettings } from "../parley.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { notLoggedIn, targetOf } from "../tenant/target.ts"

const units = { m: Duration.minutes, h: Duration.hours, d: Duration.days, w: Duration.weeks }

const isUnit = (text: string | undefined): text is keyof typeof units => text !== undefined && text in units

/** Parses a duration such as `90d`: a whole number of minutes, hours, days or weeks. */
const parseLifetime = (text: string): Option.Option<Duration.Duration> => {
  const [, count, unit] = /^([1-9]\d{0,5})([a-z])$/.exec(text) ?? []
  return isUnit(unit) ? Option.some(units[unit](Number(count))) : Option.none()
}

const expected = "Expected a whole number and a unit: 30m, 12h, 90d or 4w"

/** Duration in its typed format. */
export const Lifetime = Schema.String.check(
  Schema.makeFilter((text: string) => Option.isSome(parseLifetime(text)) || expected)
).pipe(
  Schema.decodeTo(
    Schema.Duration,
    SchemaTransformation.transform({
      decode: (text) => Option.getOrElse(parseLifetime(text), () => Duration.zero),
      encode: (duration) => `${Math.round(Duration.toMinutes(duration))}m`
    })
  )
)

const view: View<ListedAutomationToken> = {
  schema: ListedAutomationToken,
  none: "This organization has no automation token.",
  columns: [
    { heading: "ID", of: (token) => token.id },
    { heading: "NAME", of: (token) => token.name },
    { heading: "PERMISSIONS", of: (token) => token.permissions.join(",") },
    { heading: "EXPIRES", of: (token) => DateTime.formatIso(token.expiresAt) },
    {
      heading: "LAST USED",
      of: (token) => (token.lastUsedAt === null ? "never" : DateTime.formatIso(token.lastUsedAt))
    },
    { heading: "STATUS", of: (token) => token.suspendedBecause ?? token.status },
    { heading: "RESPONSIBLE", of: (token) => token.responsibleUserId }
  ]
}

const encode = Schema.encodeSync(ListedAutomationToken)

const issue = Command.make(
  "issue",
  {
    org: Flags.org,
    as: Flag.String("as").pipe(
      Flag.withDescription("Member who is responsible for the token and limits its permissions (on a service: you)"),
      Flag.optional
    ),
    name: typedFlag("name", SingleLineText).pipe(Flag.withDescription("Purpose of the token")),
    permissions: Flag.Literals("permission", Permission.literals).pipe(
      Flag.withDescription("Permission of the token; repeatable"),
      Flag.atLeast(1)
    ),
    expiresIn: typedFlag("expires-in", Lifetime).pipe(
      Flag.withDescription("Validity, such as 12h or 90d (90d)"),
      Flag.withDefault(Duration.days(90))
    ),
    json: Flags.json,
    quiet: Flags.tokenOnly
  },
  Effect.fn(function* ({ as, expiresIn, json, name, org, permissions, quiet }) {
    const [first, ...others] = permissions
    if (first === undefined) return
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const expiresAt = DateTime.addDuration(yield* DateTime.now, expiresIn)
        const { tokens } = yield* tenant.as(as)
        const issued = yield* tokens.issue({ payload: { name, permissions: [first, ...others], expiresAt } })
        const { token: secret, ...automationToken } = issued
        const token = Redacted.value(secret)
        if (json) return yield* printJson({ ...encode(automationToken), token })
        if (quiet) return yield* Console.log(token)
        yield* printOne(view, {}, automationToken)
        yield* Console.log(`\nToken (shown once): ${token}`)
      })
    )
  })
).pipe(
  Command.withDescription("Issue an automation token and print it once; --quiet prints only the token"),
  Command.withExamples([
    {
      command:
        'parley tokens issue --org acme --as ann@acme.example --name "ERP" --permission automations.read --permission events.read'
    },
    {
      command:
        'TOKEN=$(parley tokens issue --org acme --as ann@acme.example --name "CI" --permission members.read --expires-in 12h -q)'
    }
  ])
)

const list = Command.make(
  "list",
  { org: Flags.org, ...pageFlags },
  Effect.fn(function* ({ json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ tokens }) {
        const { isCut, rows } = yield* collect(limit, (page) => tokens.list({ query: queryOf(page) }))
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the automation tokens, newest first"), Command.withAlias("ls"))

const adopt = Command.make(
  "adopt",
  {
    org: Flags.org,
    as: Flag.String("as").pipe(
      Flag.withDescription("Owner who becomes responsible for the token (on a service: you)"),
      Flag.optional
    ),
    token: typedArgument("token", AutomationTokenId).pipe(Argument.withDescription("Id of the token")),
    json: Flags.json
  },
  Effect.fn(function* ({ as, json, org, token }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const { tokens } = yield* tenant.as(as)
        yield* printOne(view, { json }, yield* tokens.adopt({ params: { id: token } }))
      })
    )
  })
).pipe(
  Command.withDescription("Make an owner responsible for a token, so that it works without its issuer"),
  Command.withExamples([
    { command: "parley tokens adopt --org acme --as ann@acme.example 01934b78-4c50-7d77-8f91-607182930415" }
  ])
)

const revoke = Command.make(
  "revoke",
  {
    org: Flags.org,
    token: typedArgument("token", AutomationTokenId).pipe(Argument.withDescription("Id of the token")),
    yes: Flags.yes,
    json: Flags.json
  },
  Effect.fn(function* ({ json, org, token, yes }) {
    yield* confirm(`Revoke the token ${token}? Its clients stop working.`, yes)
    yield* inTenant(org, ({ tokens }) =>
      Effect.andThen(
        tokens.revoke({ params: { id: token } }),
        json ? printJson({ id: token, revoked: true }) : Console.log(`Revoked ${token}.`)
      )
    )
  })
).pipe(Command.withDescription("Revoke an automation token. Within a second, every process refuses it"))

const print = Command.make(
  "print",
  {},
  Effect.fn(function* () {
    const settings = yield* sharedSettings
    const target = yield* targetOf(settings)
    if (target.kind === "database") {
      return yield* notLoggedIn(
        settings,
        "You are not logged in at a service. Log in: parley login --server https://parley.example"
      )
    }
    const { accessTokenOf } = yield* Effect.promise(() => import("../server/accessToken.ts"))
    const token = yield* accessTokenOf(settings, target)
    const stdio = yield* Stdio.Stdio
    if (yield* stdio.stdoutIsTerminal) {
      yield* Console.error(
        "This token is a secret: it acts as you until it expires. Do not paste it into chats or tickets."
      )
    }
    yield* Console.log(Redacted.value(token))
  })
).pipe(
  Command.withDescription("Print the access token of your login for other programs; an expired one is renewed"),
  Command.withExamples([
    {
      command:
        'curl -H "Authorization: Bearer $(parley token print)" -H "X-Organization-Id: $ORG" https://parley.example/api/v1/auth/me'
    },
    { command: "parley token print --profile ci" }
  ])
)

export const tokens = Command.make("tokens").pipe(Command.withSubcommands([issue, list, adopt, revoke, print]))
