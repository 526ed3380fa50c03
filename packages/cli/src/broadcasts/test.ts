import { BroadcastTest, ContactId, PhoneNumberInput, VariantKey } from "@parley/domain"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printJson } from "../console/print.ts"
import { table } from "../console/Table.ts"
import { typedArgument, typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast } from "./broadcast.ts"

const encode = Schema.encodeSync(BroadcastTest)

const tableOf = ({ results }: BroadcastTest) =>
  table(results, [
    { heading: "TO", of: ({ to }) => to },
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "REASON", of: ({ error }) => error?.reason ?? "" }
  ])

/** Tries a broadcast with a few numbers. */
export const testCommand = Command.make(
  "test",
  {
    org: Flags.org,
    broadcast,
    to: typedArgument("phone", PhoneNumberInput).pipe(
      Argument.withDescription("Up to five phone numbers, each with its country code"),
      Argument.between(1, 5)
    ),
    contact: typedFlag("contact", ContactId).pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("The contact whose values the message is made of"),
      Flag.optional
    ),
    variant: Flag.Literals("variant", VariantKey.literals).pipe(
      Flag.withDescription("Which of several messages (the first one)"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ broadcast, contact, json, org, to, variant }) {
    const payload = {
      to,
      ...(Option.isSome(contact) && { contactId: contact.value }),
      ...(Option.isSome(variant) && { variant: variant.value })
    }
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.test({ params: { id: broadcast }, payload }), (tried) =>
        json ? printJson(encode(tried)) : Console.log(tableOf(tried))
      )
    )
  })
).pipe(
  Command.withDescription("Send a broadcast to a few numbers at once, to see how it looks; it counts nowhere"),
  Command.withExamples([{ command: "parley broadcasts test --org acme 0197... +491701234567 --contact 0196..." }])
)
