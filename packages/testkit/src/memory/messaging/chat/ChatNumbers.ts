import { ChatNumbers } from "@parley/domain"
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
                const { externalAccountId: businessId, externalPhoneId: phoneId, mode } = account
                const isAsked = numbers.some((asked) =>
                  asked.phoneId === null ? asked.businessId === businessId : asked.phoneId === phoneId
                )
                return mode === "platform_app" && isAsked ? [{ organizationId, businessId, phoneId }] : []
              })
          )
        )
    })
  )
)
