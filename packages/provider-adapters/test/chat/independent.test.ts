import { assert, describe, it } from "@effect/vitest"
import { startChatSimulator } from "@parley/simulators/chat"
import { DateTime, Effect, Redacted } from "effect"
import { WhatsAppAPI } from "whatsapp-api-js"
import {
  ActionButtons,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  Image,
  Interactive,
  Language,
  Location,
  Reaction,
  Template,
  Text
} from "whatsapp-api-js/messages"
import { isSigned } from "../../src/chat/whatsapp/WhatsApp.ts"
import { readDelivery } from "../../src/chat/whatsapp/readDelivery.ts"
import { number, quiet, secret } from "./simulated.ts"

const customer = "15551234567"

/** A third-party client that calls the simulator. */
const clientFor = (url: string) =>
  new WhatsAppAPI({
    token: number.accessToken,
    appSecret: Redacted.value(secret),
    v: "v24.0",
    ponyfill: {
      subtle: crypto.subtle,
      fetch: (input, init) => fetch(String(input).replace("https://graph.facebook.com", url), init)
    }
  })

describe("A client that others wrote", () => {
  it.live("signs and reads deliveries as this one does", () =>
    Effect.gen(function* () {
      const simulator = yield* startChatSimulator({ ...quiet, pairMillis: 0 })
      const theirs = clientFor(simulator.url)
      const nobody = simulator.addCustomer(null, "Zoë 🥐")
      simulator.write(number.phoneId, customer, { type: "text", text: "Ça va ? a/b 🥐" })
      simulator.write(number.phoneId, nobody, { type: "text", text: "No phone" })
      yield* Effect.promise(() =>
        theirs.sendMessage(number.phoneId, `+${customer}`, new Text("Hi"), undefined, "our id")
      )
      yield* Effect.sleep(100)
      const deliveries = simulator.deliveries()
      assert.isAtLeast(deliveries.length, 5)

      for (const { body, signature } of deliveries) {
        const bytes = Buffer.from(body)
        const request = (signed: string) => ({ body: bytes, headers: { "x-hub-signature-256": signed } })
        assert.isTrue(isSigned([secret], request(signature), DateTime.makeUnsafe(0)))
        assert.isTrue(yield* Effect.promise(() => theirs.verifyRequestSignature(body, signature)))
        const forged = `sha256=${"0".repeat(64)}`
        assert.isFalse(isSigned([secret], request(forged), DateTime.makeUnsafe(0)))
        assert.isFalse(yield* Effect.promise(() => theirs.verifyRequestSignature(body, forged)))

        const seen: Array<unknown> = []
        theirs.on.message = ({ contact, message, phoneID }) => {
          seen.push([
            "message",
            phoneID,
            message.id,
            message.timestamp,
            contact.wa_id,
            contact.user_id,
            contact.profile?.name
          ])
        }
        theirs.on.status = ({ biz_opaque_callback_data, contact, id, phoneID, status, timestamp }) => {
          seen.push([
            "receipt",
            phoneID,
            id,
            timestamp,
            contact.wa_id,
            contact.user_id,
            status,
            biz_opaque_callback_data
          ])
        }
        yield* Effect.promise(() => theirs.post(JSON.parse(body), body, signature))
        const ours = (readDelivery(bytes) ?? []).map((event) => {
          const seconds = "at" in event ? String(event.at.epochMilliseconds / 1_000) : null
          if (event.kind === "message") {
            const { chatUser, name, phone } = event.from
            return ["message", event.phoneId, event.id, seconds, phone?.slice(1), chatUser ?? undefined, name]
          }
          if (event.kind !== "receipt") return [event.kind]
          const { chatUser, phone } = event.to
          return ["receipt", event.phoneId, event.id, seconds, phone?.slice(1), chatUser, event.status, event.reference]
        })
        assert.deepStrictEqual(ours, seen)
      }
    })
  )

  it.live("sends what the simulator takes", () =>
    Effect.gen(function* () {
      const simulator = yield* startChatSimulator({ ...quiet, pairMillis: 0, reviewMillis: 0 })
      const theirs = clientFor(simulator.url)
      const received = simulator.write(number.phoneId, customer, { type: "text", text: "Hi" })
      yield* Effect.promise(() =>
        fetch(`${simulator.url}/v24.0/${number.businessId}/message_templates`, {
          method: "POST",
          headers: { authorization: `Bearer ${number.accessToken}` },
          body: JSON.stringify({
            name: "order_left",
            language: "en",
            category: "UTILITY",
            components: [{ type: "BODY", text: "Hi {{1}}!", example: { body_text: [["Ada"]] } }]
          })
        })
      )
      yield* Effect.sleep(30)
      const messages = [
        new Text("Hello"),
        new Image("https://x.test/a.png", false, "A picture"),
        new Location(-13.4, 52.5, "Bakery"),
        new Reaction(received, "👍"),
        new Interactive(new ActionButtons(new Button("y", "Yes"), new Button("n", "No")), new Body("Well?")),
        new Template("order_left", new Language("en"), new BodyComponent(new BodyParameter("Ada")))
      ]
      for (const message of messages) {
        const answer = yield* Effect.promise(() => theirs.sendMessage(number.phoneId, `+${customer}`, message))
        assert.property(answer, "messages", JSON.stringify([message, answer]))
      }
      assert.lengthOf(simulator.accepted(), messages.length)
      const wrong = yield* Effect.promise(() =>
        theirs.sendMessage(number.phoneId, `+${customer}`, new Template("order_left", new Language("en")))
      )
      assert.property(wrong, "error")
    })
  )
})
