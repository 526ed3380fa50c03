import type { ContactId } from "@parley/domain/crm"
import { isByPerson } from "@parley/domain/messaging"
import { AwayReplies } from "@parley/domain/automation"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type Tenant } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

const isWith =
  ({ conversations }: Tenant, contactId: ContactId) =>
  ({ conversationId }: { readonly conversationId: Parameters<AwayReplies["Service"]["put"]>[0] }) =>
    rowAt(conversations, conversationId)?.conversation.contactId === contactId

export const layer = Layer.effect(
  AwayReplies,
  Effect.map(Store, (store) =>
    AwayReplies.of({
      last: (contactId, scheduleId) =>
        store.readTenant((tenant) =>
          tenant.awayReplies
            .filter((reply) => reply.scheduleId === scheduleId && isWith(tenant, contactId)(reply))
            .map(({ at }) => at)
            .reduce<DateTime.Utc | null>((last, at) => (last === null ? at : DateTime.max(last, at)), null)
        ),
      hasWritten: (contactId, since) =>
        store.readTenant((tenant) =>
          HashMap.toValues(tenant.messages).some(
            ({ message }) =>
              isByPerson(message) && DateTime.isGreaterThan(message.at, since) && isWith(tenant, contactId)(message)
          )
        ),
      put: (conversationId, scheduleId, at) =>
        store.writeTenant(({ awayReplies }) => [
          undefined,
          {
            awayReplies: [
              ...awayReplies.filter((each) => each.conversationId !== conversationId || each.scheduleId !== scheduleId),
              { conversationId, scheduleId, at }
            ]
          }
        ])
    })
  )
)
