import { ChatNumbers } from "@parley/domain/messaging"
import { Effect, HashMap, Layer } from "effect"
import { isConnected } from "./isConnected.ts"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  ChatNumbers,
  Effect.map(Store, (store) =>
    ChatNumbers.of({
      ownersOf: (provider, numbers) =>
        store.read(({ tenants }) =>
          HashMap.toEntries(tenants).flatMap(([organizationId, { chatAccounts }]) =>
            HashMap.toValues(chatAccounts)
              .filter((row) => isConnected(row) && row.account.provider === provider)
              .flatMap(({ account }) => {
                const { externalAccountId, externalPhoneId: phoneId, messagingAccountId, mode } = account
                if (mode !== "platform_app") return []
                const isNamed = numbers.some((asked) => asked.phoneId === phoneId)
                return [externalAccountId, ...(messagingAccountId === null ? [] : [messagingAccountId])]
                  .filter(
                    (businessId) =>
                      (isNamed && businessId === externalAccountId) ||
                      numbers.some((asked) => asked.phoneId === null && asked.businessId === businessId)
                  )
                  .map((businessId) => ({ organizationId, businessId, phoneId }))
              })
          )
        )
    })
  )
)
