import {
  adoptAutomationToken,
  AutomationTokenId,
  issueAutomationToken,
  listAutomationTokens,
  ListedAutomationToken,
  Name,
  Permission,
  revokeAutomationToken
} from "@parley/domain"
import { Console, DateTime, Duration, Effect, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { collect } from "./console/collect.ts"
import { confirm } from "./console/confirm.ts"
import * as Flags from "./console/flags.ts"
import { Lifetime } from "./console/Lifetime.ts"
import { printJson, printList, printOne, type View } from "./console/print.ts"
import { typedArgument, typedFlag } from "./console/typed.ts"
import { asMember } from "./memberActor.ts"
import { operate } from "./operate.ts"
import { inOrganization } from "./select.ts"

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
      Flag.withDescription("The member who answers for the token; it can do no more than they can")
    ),
    name: typedFlag("name", Name).pipe(Flag.withDescription("What the token is for")),
    permissions: Flag.Literals("permission", Permission.literals).pipe(
      Flag.withDescription("What the token may do; repeat it for more than one"),
      Flag.atLeast(1)
    ),
    expiresIn: typedFlag("expires-in", Lifetime).pipe(
      Flag.withDescription("How long it is good for, such as 12h or 90d (90d)"),
      Flag.withDefault(Duration.days(90))
    ),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ as, expiresIn, json, name, org, permissions, quiet }) {
    const [first, ...others] = permissions
    if (first === undefined) return
    yield* operate(
      asMember(
        org,
        as,
        Effect.gen(function* () {
          const expiresAt = DateTime.addDuration(yield* DateTime.now, expiresIn)
          const issued = yield* issueAutomationToken({ name, permissions: [first, ...others], expiresAt })
          const token = Redacted.value(issued.token)
          if (json) {
            return yield* printJson({ ...encode(issued.automationToken), token })
          }
          if (quiet) return yield* Console.log(token)
          yield* printOne(view, {}, issued.automationToken)
          yield* Console.log(`\nToken (shown this once): ${token}`)
        })
      )
    )
  })
).pipe(
  Command.withDescription("Issue an automation token; it is shown once (--quiet prints nothing else)"),
  Command.withExamples([
    {
      command:
        'parley token issue --org acme --as ann@acme.example --name "ERP" --permission automations.read --permission events.read'
    },
    {
      command:
        'TOKEN=$(parley token issue --org acme --as ann@acme.example --name "CI" --permission members.read --expires-in 12h -q)'
    }
  ])
)

const list = Command.make(
  "list",
  { org: Flags.org, limit: Flags.limit, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, limit, org, quiet }) {
    yield* operate(
      inOrganization(
        org,
        Effect.gen(function* () {
          const { isCut, rows } = yield* collect(limit, listAutomationTokens)
          yield* printList(view, { json, quiet }, rows, isCut)
        })
      )
    )
  })
).pipe(Command.withDescription("List the automation tokens, newest first"), Command.withAlias("ls"))

const adopt = Command.make(
  "adopt",
  {
    org: Flags.org,
    as: Flag.String("as").pipe(Flag.withDescription("The owner who answers for the token from now on")),
    token: typedArgument("token", AutomationTokenId).pipe(Argument.withDescription("The id of the token")),
    json: Flags.json
  },
  Effect.fn(function* ({ as, json, org, token }) {
    yield* operate(
      asMember(
        org,
        as,
        Effect.flatMap(adoptAutomationToken(token), (adopted) => printOne(view, { json }, adopted))
      )
    )
  })
).pipe(
  Command.withDescription("Let an owner answer for a token, so that it goes on without its issuer"),
  Command.withExamples([
    { command: "parley token adopt --org acme --as ann@acme.example 01934b78-4c50-7d77-8f91-607182930415" }
  ])
)

const revoke = Command.make(
  "revoke",
  {
    org: Flags.org,
    token: typedArgument("token", AutomationTokenId).pipe(Argument.withDescription("The id of the token")),
    yes: Flags.yes,
    json: Flags.json
  },
  Effect.fn(function* ({ json, org, token, yes }) {
    yield* confirm(`Revoke the token ${token}? What uses it stops working.`, yes)
    yield* operate(
      inOrganization(
        org,
        Effect.andThen(
          revokeAutomationToken(token),
          json ? printJson({ id: token, revoked: true }) : Console.log(`Revoked ${token}.`)
        )
      )
    )
  })
).pipe(Command.withDescription("Revoke an automation token, within a second on every node"))

/** The commands about automation tokens. */
export const token = Command.make("token").pipe(
  Command.withDescription("Automation tokens: issue, list, adopt, revoke"),
  Command.withSubcommands([issue, list, adopt, revoke])
)
