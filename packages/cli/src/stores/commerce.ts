import { ContactCommerce, ContactId, ConversationId } from "@parley/domain"
import { WrongUsage } from "@parley/service/configuration"
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { amountText } from "../console/amountText.ts"
import * as Flags from "../console/flags.ts"
import { printJson, printRows } from "../console/print.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { cartView, orderView } from "./records.ts"

const encode = Schema.encodeSync(ContactCommerce)

/** Shows what a contact has done in all stores. */
export const commerceCommand = Command.make(
  "commerce",
  {
    org: Flags.org,
    contact: typedFlag("contact", ContactId).pipe(Flag.withDescription("The id of the contact"), Flag.optional),
    conversation: typedFlag("conversation", ConversationId).pipe(
      Flag.withDescription("The id of a conversation with the contact"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ contact, conversation, json, org }) {
    if (Option.isSome(contact) === Option.isSome(conversation)) {
      return yield* new WrongUsage({ message: "Say whose commerce to show: --contact or --conversation, and an id." })
    }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ commerce }) {
        const found = Option.isSome(contact)
          ? yield* commerce.ofContact({ params: { id: contact.value }, query: {} })
          : yield* commerce.ofConversation({ params: { id: Option.getOrThrow(conversation) }, query: {} })
        if (json) return yield* printJson(encode(found))
        for (const { orderCount, spent } of found.lifetime) {
          yield* Console.log(`${orderCount} orders, ${amountText(spent)} spent`)
        }
        yield* printRows(orderView, {}, found.orders, false, ({ id }) => id)
        yield* printRows(cartView, {}, found.carts, false, ({ id }) => id)
        for (const { freshness, name, status } of found.stores) {
          yield* Console.error(`${name}: ${status}, ${freshness.state}`)
        }
      })
    )
  })
).pipe(Command.withDescription("Show what a contact has ordered and left in carts, in all stores"))
