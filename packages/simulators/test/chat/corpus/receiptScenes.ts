import { Effect } from "effect"
import { pass } from "../harness.ts"
import { createTemplate, fact, post } from "./grounds.ts"
import { parentId, type Scene } from "./scene.ts"

const { customer, phoneId } = fact

const text = { messaging_product: "whatsapp", to: `+${customer}`, type: "text", text: { body: "Hello" } }

export const receipts: Scene = (provider) =>
  Effect.gen(function* () {
    const send = (more: object) =>
      Effect.andThen(post(provider, `/${phoneId}/messages`, { ...text, ...more }), pass(provider, 1_000))
    const id = provider.write(phoneId, customer, { type: "text", text: "Hi" })
    yield* createTemplate(provider, "quick_replies")
    const news = { type: "template", text: undefined, template: { name: "quick_replies", language: { code: "en_US" } } }
    yield* send({})
    yield* send(news)
    yield* send({ ...news, biz_opaque_callback_data: "campaign-42/recipient-7" })
    yield* send({ type: "reaction", text: undefined, reaction: { message_id: id, emoji: "😀" } })
    yield* send({ type: "audio", text: undefined, audio: { link: "https://www.luckyshrub.com/a.ogg", voice: true } })
    provider.act({ act: "set_customer", customer, pricedReceipt: "read" })
    yield* send(news)
    provider.act({ act: "set_customer", customer, pricedReceipt: "delivered" })
    provider.misbehave({ on: "messages", what: { kind: "fail_receipt", code: 131_049 } })
    yield* send({})
    yield* post(provider, `/${phoneId}/settings`, { user_identity_change: { enable_identity_key_check: true } })
    provider.act({ act: "set_customer", customer, pricedReceipt: "read" })
    provider.write(phoneId, customer, { type: "text", text: "hello" })
    yield* send({})
    yield* post(provider, `/${phoneId}/settings`, { user_identity_change: { enable_identity_key_check: false } })
    provider.act({ act: "set_customer", customer, pricedReceipt: "delivered" })
    provider.write(phoneId, customer, { type: "text", text: "Hi" }, { fromAdvertisement: true })
    yield* send({})
  })

export const receiptsOfUsers: Scene = (provider) =>
  Effect.gen(function* () {
    const send = (more: object) =>
      Effect.andThen(post(provider, `/${phoneId}/messages`, { ...text, to: undefined, ...more }), pass(provider, 1_000))
    const nobody = provider.addCustomer(null, "Pablo Morales")
    const id = provider.write(phoneId, nobody, { type: "text", text: "Hi" })
    yield* send({ recipient: nobody, type: "reaction", text: undefined, reaction: { message_id: id, emoji: "😀" } })
    provider.misbehave({ on: "messages", what: { kind: "fail_receipt", code: 131_026 } })
    yield* send({ recipient: nobody })
    provider.act({
      act: "set_customer",
      customer: "16505550009",
      username: "pablo",
      parentUserId: parentId,
      pricedReceipt: "read"
    })
    provider.write(phoneId, "16505550009", { type: "text", text: "Hi" })
    yield* send({ to: "+16505550009" })
  })
