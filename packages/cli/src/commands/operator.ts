import { OperatorScope, OperatorTokenId } from "@parley/domain/kernel"
import {
  AllowedNetwork,
  issueOperatorToken,
  listOperatorTokens,
  OperatorToken,
  operatorTokenLifetime,
  revokeOperatorToken,
  SingleLineText
} from "@parley/domain/platform"
import { Console, DateTime, Duration, Effect, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { collectAfter, pageFlags } from "../console/listing.ts"
import { printJson, printList, printOne, type View } from "../console/print.ts"
import { confirm } from "../console/prompts.ts"
import { typedArgument, typedFlag } from "../console/typed.ts"
import { operate } from "../tenant/target.ts"
import { Lifetime } from "./tokens.ts"

const timeOf = (at: DateTime.Utc | null) => (at === null ? "never" : DateTime.formatIso(at))

const view: View<OperatorToken> = {
  schema: OperatorToken,
  none: "There is no operator token.",
  columns: [
    { heading: "ID", of: (token) => token.id },
    { heading: "NAME", of: (token) => token.name },
    { heading: "SCOPES", of: (token) => token.scopes.join(",") },
    { heading: "ADDRESSES", of: ({ allowedAddresses: [...all] }) => (all.length === 0 ? "all" : all.join(",")) },
    { heading: "EXPIRES", of: (token) => timeOf(token.expiresAt) },
    { heading: "LAST USED", of: (token) => timeOf(token.lastUsedAt) },
    { heading: "REVOKED", of: ({ revokedAt }) => (revokedAt === null ? "" : timeOf(revokedAt)) },
    { heading: "ISSUED BY", of: (token) => token.createdBy }
  ]
}

const encode = Schema.encodeSync(OperatorToken)

const OperatorLifetime = Lifetime.check(
  Schema.makeFilter(
    (duration: Duration.Duration) =>
      Duration.between(duration, { minimum: operatorTokenLifetime.min, maximum: operatorTokenLifetime.max }) ||
      "Expected 1 to 366 days, such as 90d"
  )
)

const issue = Command.make(
  "issue",
  {
    name: typedFlag("name", SingleLineText).pipe(Flag.withDescription("Purpose of the token")),
    scopes: Flag.Literals("scope", OperatorScope.literals).pipe(
      Flag.withDescription("Scope of the token; repeatable"),
      Flag.atLeast(1)
    ),
    addresses: typedFlag("allowed-address", AllowedNetwork).pipe(
      Flag.withMetavar("network"),
      Flag.withDescription(
        "Network that can use the token, such as 203.0.113.0/24; repeatable (default: all addresses)"
      ),
      Flag.atLeast(0)
    ),
    expiresIn: typedFlag("expires-in", OperatorLifetime).pipe(
      Flag.withDescription("Validity, 1 to 366 days, such as 90d (default: 90d)"),
      Flag.withDefault(Duration.days(90))
    ),
    json: Flags.json,
    quiet: Flags.tokenOnly
  },
  Effect.fn(function* ({ addresses, expiresIn, json, name, quiet, scopes }) {
    const [first, ...others] = new Set(scopes)
    if (first === undefined) return
    const { operatorToken, token } = yield* operate(
      Effect.gen(function* () {
        const expiresAt = DateTime.addDuration(yield* DateTime.now, expiresIn)
        return yield* issueOperatorToken({ name, scopes: [first, ...others], allowedAddresses: addresses, expiresAt })
      })
    )
    const secret = Redacted.value(token)
    if (json) return yield* printJson({ ...encode(operatorToken), token: secret })
    if (quiet) return yield* Console.log(secret)
    yield* printOne(view, {}, operatorToken)
    yield* Console.log(`\nToken (shown once): ${secret}`)
  })
).pipe(
  Command.withDescription("Issue an operator token and print it once; --quiet prints only the token"),
  Command.withExamples([
    {
      command:
        'parley operator token issue --name "Rate cards" --scope rate_cards.read --scope rate_cards.write --allowed-address 203.0.113.7/32'
    }
  ])
)

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* ({ json, limit, quiet }) {
    const { isCut, rows } = yield* operate(
      collectAfter(limit, (size, last: OperatorToken | null) =>
        listOperatorTokens({ limit: size, after: last === null ? null : [last.id] })
      )
    )
    yield* printList(view, { json, quiet }, rows, isCut)
  })
).pipe(Command.withDescription("List the operator tokens, newest first"), Command.withAlias("ls"))

const revoke = Command.make(
  "revoke",
  {
    token: typedArgument("token", OperatorTokenId).pipe(Argument.withDescription("Id of the token")),
    yes: Flags.yes,
    json: Flags.json
  },
  Effect.fn(function* ({ json, token, yes }) {
    yield* confirm(`Revoke the operator token ${token}? Its programs stop working.`, yes)
    yield* operate(revokeOperatorToken({ id: token }))
    yield* json ? printJson({ id: token, revoked: true }) : Console.log(`Revoked ${token}.`)
  })
).pipe(Command.withDescription("Revoke an operator token. Every process refuses its next request"))

const tokens = Command.make("token").pipe(
  Command.withDescription("Tokens for programs of operators: issue, list, revoke"),
  Command.withSubcommands([issue, list, revoke])
)

/** Commands for operators of the installation. Only the database can issue tokens. */
export const operator = Command.make("operator").pipe(Command.withSubcommands([tokens]))
