// Drives foreign clients: each sends the messages of the corpus to the simulator and reads the webhooks of the corpus.
import { TemplateDefinition, WhatsAppClient } from "@kapso/whatsapp-cloud-api"
import { normalizeWebhook } from "@kapso/whatsapp-cloud-api/server"
import { readFileSync } from "node:fs"
import { WhatsAppAPI } from "whatsapp-api-js"
import * as m from "whatsapp-api-js/messages"

const question = JSON.parse(readFileSync(process.argv[2], "utf8"))
const { accountId, imageId, phoneId, requests, secret, token, url, version, webhooks } = question

const { fetch: request } = globalThis

const calls = []
const read = (body) => {
  if (body instanceof FormData) {
    const fields = Array.from(body, ([key, value]) => [key, typeof value === "string" ? value : value.type])
    return Object.fromEntries(fields)
  }
  return typeof body === "string" ? JSON.parse(body) : null
}

/** Records each call under the name of the fact that it repeats. */
const recorder = (client) => {
  const state = { name: "", uploaded: imageId }
  return {
    fetch: async (input, init) => {
      const address = String(input).replace("https://graph.facebook.com", url)
      const response = await request(address, init)
      const { pathname } = new URL(address)
      const answer = await response.clone().json()
      const sent = { method: init?.method ?? "GET", path: pathname, body: read(init?.body) }
      if (state.name === "upload-media") state.uploaded = answer.id ?? imageId
      calls.push({ client, name: state.name, request: sent, status: response.status, answer, uploaded: state.uploaded })
      return response
    },
    run: async (steps) => {
      for (const [name, perform] of Object.entries(steps)) {
        state.name = name
        try {
          await perform(JSON.parse(JSON.stringify(requests[name]).replaceAll(imageId, state.uploaded)), state.uploaded)
        } catch (error) {
          if (calls.at(-1)?.name !== name) calls.push({ client, name, error: String(error) })
        }
      }
    }
  }
}

const jpeg = new Blob([Buffer.from(requests["upload-media"].file.base64, "base64")], { type: "image/jpeg" })

const kapso = recorder("kapso")
const client = new WhatsAppClient({ accessToken: token, baseUrl: url, graphVersion: version, fetch: kapso.fetch })
const { media, messages, phoneNumbers, templates } = client
const to = ({ to }) => ({ phoneNumberId: phoneId, to })
const interactive = (body) => ({
  ...to(body),
  bodyText: body.interactive.body.text,
  ...(body.interactive.footer === undefined ? {} : { footerText: body.interactive.footer.text }),
  ...(body.interactive.header === undefined ? {} : { header: body.interactive.header })
})

await kapso.run({
  "register-number": ({ pin }) => phoneNumbers.register({ phoneNumberId: phoneId, pin }),
  "upload-media": () => media.upload({ phoneNumberId: phoneId, type: "image/jpeg", file: jpeg, fileName: "aloe.jpg" }),
  "send-text": (body) => messages.sendText({ ...to(body), body: body.text.body }),
  "send-text-preview": (body) => messages.sendText({ ...to(body), body: body.text.body, previewUrl: true }),
  "send-text-reply": (body) =>
    messages.sendText({ ...to(body), body: body.text.body, contextMessageId: body.context.message_id }),
  "send-text-to-user-id": (body) =>
    messages.sendText({ phoneNumberId: phoneId, recipient: body.recipient, body: body.text.body }),
  "send-image-id": (body) => messages.sendImage({ ...to(body), image: body.image }),
  "send-image-link": (body) => messages.sendImage({ ...to(body), image: body.image }),
  "send-location-numbers": (body) => messages.sendLocation({ ...to(body), location: body.location }),
  "send-contacts-formatted-name": (body) =>
    messages.sendContacts({
      ...to(body),
      contacts: body.contacts.map(({ name, phones }) => ({ name: { formattedName: name.formatted_name }, phones }))
    }),
  "send-reaction": (body) =>
    messages.sendReaction({
      ...to(body),
      reaction: { messageId: body.reaction.message_id, emoji: body.reaction.emoji }
    }),
  "send-buttons-text-header": (body) =>
    messages.sendInteractiveButtons({
      ...interactive(body),
      buttons: body.interactive.action.buttons.map(({ reply }) => reply)
    }),
  "send-list": (body) =>
    messages.sendInteractiveList({
      ...interactive(body),
      buttonText: body.interactive.action.button,
      sections: body.interactive.action.sections
    }),
  "send-cta-url": (body) => {
    const { display_text, url } = body.interactive.action.parameters
    return messages.sendInteractiveCtaUrl({ ...interactive(body), parameters: { displayText: display_text, url } })
  },
  "send-flow-navigate": (body) => {
    const parameters = body.interactive.action.parameters
    return messages.sendInteractiveFlow({
      ...interactive(body),
      parameters: {
        flowId: parameters.flow_id,
        flowCta: parameters.flow_cta,
        flowToken: parameters.flow_token,
        mode: parameters.mode,
        flowAction: parameters.flow_action,
        flowActionPayload: parameters.flow_action_payload
      }
    })
  },
  "send-product": (body) => {
    const { catalog_id: catalogId, product_retailer_id: productRetailerId } = body.interactive.action
    return messages.sendInteractiveProduct({ ...interactive(body), catalogId, productRetailerId })
  },
  "send-product-list": (body) => {
    const { catalog_id: catalogId, sections } = body.interactive.action
    return messages.sendInteractiveProductList({
      ...interactive(body),
      catalogId,
      sections: sections.map(({ product_items, title }) => ({
        title,
        productItems: product_items.map(({ product_retailer_id }) => ({ productRetailerId: product_retailer_id }))
      }))
    })
  },
  "send-address": (body) =>
    messages.sendInteractiveAddress({
      ...interactive(body),
      parameters: { country: "IN", values: body.interactive.action.parameters.values }
    }),
  "send-carousel-url": (body) =>
    messages.sendInteractiveCarousel({
      ...interactive(body),
      cards: body.interactive.action.cards.map(({ action: { parameters }, body, card_index, header }) => ({
        cardIndex: card_index,
        header,
        bodyText: body.text,
        action: { displayText: parameters.display_text, url: parameters.url }
      }))
    }),
  "send-carousel-quick-reply": (body) =>
    messages.sendInteractiveCarousel({
      ...interactive(body),
      cards: body.interactive.action.cards.map(({ action, body, card_index, header }) => ({
        cardIndex: card_index,
        header,
        bodyText: body.text,
        action: { buttons: action.buttons.map(({ quick_reply }) => quick_reply) }
      }))
    }),
  "create-template-positional": (body) =>
    templates.create({
      businessAccountId: accountId,
      ...TemplateDefinition.buildTemplateDefinition({
        name: body.name,
        language: body.language,
        category: body.category,
        parameterFormat: "POSITIONAL",
        components: body.components.map(({ example, ...component }) => ({
          ...component,
          ...(example?.header_text === undefined ? {} : { example: { headerText: example.header_text } }),
          ...(example?.body_text === undefined ? {} : { example: { bodyText: example.body_text } })
        }))
      })
    }),
  "send-template-positional": async (body) => {
    // The simulator reviews the template at once, which is a task of its own.
    for (let tries = 0; tries < 100; tries++) {
      const { data } = await templates.list({ businessAccountId: accountId, name: body.template.name })
      if (data[0]?.status === "APPROVED") break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await messages.sendTemplate({ ...to(body), template: body.template })
  },
  "mark-read-typing": (body) =>
    messages.markRead({ phoneNumberId: phoneId, messageId: body.message_id, typingIndicator: { type: "text" } }),
  "get-media": (_, mediaId) => media.get({ mediaId, phoneNumberId: phoneId }),
  "delete-media": (_, mediaId) => media.delete({ mediaId, phoneNumberId: phoneId })
})

const other = recorder("whatsapp-api-js")
const api = new WhatsAppAPI({
  token,
  appSecret: secret,
  v: version,
  ponyfill: { subtle: crypto.subtle, fetch: other.fetch }
})
const send = (message) => (body) =>
  api.sendMessage(phoneId, { phone: body.to }, message(body), body.context?.message_id)
const header = ({ interactive: { header } }) => (header === undefined ? undefined : new m.Header(header.text))
const footer = ({ interactive: { footer } }) => (footer === undefined ? undefined : new m.Footer(footer.text))
const whole = (action) => (body) =>
  new m.Interactive(action(body.interactive.action), new m.Body(body.interactive.body.text), header(body), footer(body))

await other.run({
  "upload-media": () => {
    const form = new FormData()
    form.set("file", jpeg, "aloe.jpg")
    form.set("type", jpeg.type)
    return api.uploadMedia(phoneId, form)
  },
  "send-text": send(({ text }) => new m.Text(text.body)),
  "send-text-preview": send(({ text }) => new m.Text(text.body, true)),
  "send-text-reply": send(({ text }) => new m.Text(text.body)),
  "send-text-to-user-id": ({ recipient, text }) =>
    api.sendMessage(phoneId, { bsuid: recipient }, new m.Text(text.body)),
  "send-image-id": send(({ image }) => new m.Image(image.id, true, image.caption)),
  "send-image-link": send(({ image }) => new m.Image(image.link, false, image.caption)),
  "send-location-numbers": send(({ location }) => new m.Location(location.longitude, location.latitude)),
  "send-reaction": send(({ reaction }) => new m.Reaction(reaction.message_id, reaction.emoji)),
  "send-buttons-text-header": send(
    whole(({ buttons }) => new m.ActionButtons(...buttons.map(({ reply }) => new m.Button(reply.id, reply.title))))
  ),
  "send-list": send(
    whole(
      ({ button, sections }) =>
        new m.ActionList(
          button,
          ...sections.map(
            ({ rows, title }) =>
              new m.ListSection(title, ...rows.map((row) => new m.Row(row.id, row.title, row.description)))
          )
        )
    )
  ),
  "send-cta-url": send(whole(({ parameters }) => new m.ActionCTA(parameters.display_text, parameters.url))),
  "send-location-request": send(whole(() => new m.ActionLocation())),
  "send-request-contact-info": send(whole(() => new m.ActionContactRequest())),
  "send-call-permission-request": send(whole(() => new m.ActionCallPermission())),
  "send-flow-navigate": send(
    whole(({ parameters }) => {
      const { flow_action_payload: payload, flow_cta, flow_id, flow_token, mode } = parameters
      return new m.ActionNavigateFlow(flow_token, flow_id, flow_cta, payload.screen, payload.data, mode)
    })
  ),
  "send-catalog": send(
    whole(({ parameters }) => new m.ActionCatalog(new m.Product(parameters.thumbnail_product_retailer_id)))
  ),
  "send-product": send(
    whole(
      ({ catalog_id, product_retailer_id }) =>
        new m.ActionProduct(new m.CatalogProduct(product_retailer_id, catalog_id))
    )
  ),
  "send-template-positional": send(({ template: { components, language, name } }) => {
    const [head, body] = components.map(({ parameters }) => parameters.map(({ text }) => text))
    return new m.Template(
      name,
      new m.Language(language.code),
      new m.HeaderComponent(...head.map((text) => new m.HeaderParameter(text))),
      new m.BodyComponent(...body.map((text) => new m.BodyParameter(text)))
    )
  }),
  "mark-read-typing": (body) => api.markAsRead(phoneId, body.message_id, "text"),
  "block-users": ({ block_users: [{ user }] }) => api.blockUser(phoneId, { phone: user }),
  "unblock-users": ({ block_users: [{ user }] }) => api.unblockUser(phoneId, { phone: user }),
  "delete-media": (_, mediaId) => api.deleteMedia(mediaId, phoneId)
})

await kapso.run({ "deregister-number": () => phoneNumbers.deregister({ phoneNumberId: phoneId }) })

const idsOf = (list) => list.map(({ id }) => id)
const reader = new WhatsAppAPI({ token, secure: false, v: version })

const readByKapso = ({ body, name }) => {
  const { messages, statuses } = normalizeWebhook(body)
  return { client: "kapso", name, messages: idsOf(messages), statuses: idsOf(statuses) }
}

const readByOther = async ({ body, name }) => {
  const seen = { client: "whatsapp-api-js", name, messages: [], statuses: [] }
  reader.on.message = ({ message }) => void seen.messages.push(message.id)
  reader.on.status = ({ id }) => void seen.statuses.push(id)
  try {
    await reader.post(body)
    return seen
  } catch (error) {
    return { ...seen, error: String(error) }
  }
}

const readings = webhooks.map(readByKapso)
for (const webhook of webhooks) readings.push(await readByOther(webhook))

process.stdout.write(JSON.stringify({ calls, readings }))
