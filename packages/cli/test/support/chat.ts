import { CurrentActor, CurrentOrganization } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { connectChatAccount, receiveChatDelivery } from "@parley/domain/messaging"
import { processDueDeliveries } from "@parley/domain/composition"
import { defaultNumbers, signatureOf } from "@parley/simulators/chat"
import { DateTime, Effect, Redacted } from "effect"

const [number] = defaultNumbers
const appSecret = "app-secret-of-the-test"

/** The provider's delivery for an incoming message. */
export const incoming = (text: string, at: DateTime.Utc) =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: number?.businessId,
        changes: [
          {
            field: "messages",
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: "15550100001", phone_number_id: number?.phoneId },
              contacts: [{ profile: { name: "Carla" }, wa_id: "4915123456789" }],
              messages: [
                {
                  from: "4915123456789",
                  id: `wamid.${text.length}`,
                  timestamp: String(Math.floor(DateTime.toEpochMillis(at) / 1_000)),
                  type: "text",
                  text: { body: text }
                }
              ]
            }
          }
        ]
      }
    ]
  })

/** Connects the first number of the simulated provider. */
export const connect = ({ id }: Organization) =>
  connectChatAccount({
    displayName: "Support",
    externalAccountId: number?.businessId ?? "",
    externalPhoneId: number?.phoneId ?? "",
    accessToken: Redacted.make(number?.accessToken ?? ""),
    appSecret: Redacted.make(appSecret)
  }).pipe(
    Effect.provideService(CurrentOrganization, { id }),
    Effect.provideService(CurrentActor, { kind: "operator", name: "test" }),
    Effect.orDie
  )

/** Receives an incoming message as a service does. */
export const receive = ({ id }: Organization, body: string) =>
  Effect.orDie(
    Effect.andThen(
      receiveChatDelivery({
        organizationId: id,
        body: new TextEncoder().encode(body),
        headers: { "x-hub-signature-256": signatureOf(appSecret, body) }
      }),
      processDueDeliveries
    )
  )
