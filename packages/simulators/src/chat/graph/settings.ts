import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Timeline } from "../../Timeline.ts"
import { type Fields, listAt, objectAt, oneOf, refuse, refusePlainly, textAt, textIfAny } from "../checks.ts"
import type { Events } from "../events.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { World } from "../World.ts"
import type { Access } from "./access.ts"
import { changeBlocks } from "./blocking.ts"
import { type Call, type Handler, parametersOf, type Scripted, success } from "./Call.ts"
import { updateSettings } from "./callSettings.ts"
import { pageOf } from "./fields.ts"
import { readProfile, updateProfile } from "./profile.ts"
import type { Uploads } from "./uploads.ts"

const maxQrCodes = 2_000
const hasEmoji = (text: string) => /\p{Extended_Pictographic}/u.test(text)

const automationIn = (fields: Fields): Fields => {
  const prompts = listAt(fields["prompts"] ?? [], "prompts", 4, 0).map((prompt) => textAt(prompt, "prompts", 80))
  if (prompts.some(hasEmoji)) refuse(131_009, "Param prompts cannot have emojis.")
  const commands = listAt(fields["commands"] ?? [], "commands", 30, 0).map((command) => {
    const { command_description: description, command_name: name } = objectAt(command, "commands")
    return {
      command_name: textAt(name, "command_name", 32),
      command_description: textAt(description, "command_description", 256)
    }
  })
  return { enable_welcome_message: fields["enable_welcome_message"] === true, prompts, commands }
}

/** Settings of a number: profile, blocked users, commerce, links, automation, username and keys. */
export const makeSettings = (
  world: World,
  timeline: Timeline,
  events: Events,
  access: Access,
  scripted: Scripted,
  uploads: Uploads
) => {
  const onNumber =
    (perform: (number: SimulatedNumber, fields: Fields, call: Call) => object): Handler =>
    (call) =>
      Effect.gen(function* () {
        const { number } = access.requireManagedNumber(call)
        const fields = yield* parametersOf(call)
        return yield* scripted("settings", call, () => perform(number, fields, call))
      })

  const change =
    (action: "block" | "unblock"): Handler =>
    (call) =>
      Effect.gen(function* () {
        const number = access.requireNumber(call)
        const fields = yield* parametersOf(call)
        const { body, isComplete } = changeBlocks(world, timeline.now(), number, fields, action)
        const response = yield* scripted("settings", call, () => body)
        return isComplete ? response : HttpServerResponse.setStatus(response, 400)
      })

  const qrCode = (number: SimulatedNumber, code: string, image: unknown) => {
    const deepLink = `https://wa.me/message/${code}`
    return {
      code,
      prefilled_message: world.stateOf(number).qrCodes.get(code),
      deep_link_url: deepLink,
      ...(image === undefined
        ? {}
        : { qr_image_url: `https://scontent.whatsapp.net/qr/${code}.${String(image).toLowerCase()}` })
    }
  }

  const saveQrCode = (number: SimulatedNumber, fields: Fields): object => {
    const { qrCodes } = world.stateOf(number)
    const message = textAt(fields["prefilled_message"], "prefilled_message", 140)
    const image = fields["generate_qr_image"]
    if (image !== undefined) oneOf(image, "generate_qr_image", ["SVG", "PNG"])
    const given = textIfAny(fields["code"], "code", 20)
    if (given !== null && !qrCodes.has(given)) refusePlainly(100, "(#100) The code does not exist.")
    if (given === null && qrCodes.size >= maxQrCodes) refusePlainly(100, "(#100) The number has 2,000 codes.")
    const code = given ?? `QR${String(world.next()).padStart(12, "0")}`
    qrCodes.set(code, message)
    return qrCode(number, code, image)
  }

  const qrCodeOf = (number: SimulatedNumber, code: string): string =>
    world.stateOf(number).qrCodes.has(code) ? code : refusePlainly(100, "(#100) The code does not exist.")

  const saveUsername = (number: SimulatedNumber, fields: Fields): object => {
    const username = textAt(fields["username"], "username", 35, 3)
    if (!/^[a-z0-9._]+$/u.test(username)) refuse(131_009, "Param username has characters that are not allowed.")
    const isTaken = [...world.states.values()].some(
      (state) => state.username === username && state.phoneId !== number.phoneId
    )
    if (isTaken) refuse(147_001, "The username belongs to another number.")
    events.username(number, username, "approved")
    return success
  }

  return {
    readProfile: onNumber((number, _, call) => readProfile(world.stateOf(number), call.query.get("fields"))),
    updateProfile: onNumber((number, fields) =>
      updateProfile(
        world.stateOf(number),
        fields,
        (handle) => uploads.ofHandle(handle)?.fileType.startsWith("image/") === true
      )
    ),
    block: change("block"),
    unblock: change("unblock"),
    blocked: onNumber((number, _, call) =>
      pageOf([...world.stateOf(number).blocked], call.query, `${call.origin}/${call.id}/block_users`, (key) => {
        const customer = world.findCustomer(key)
        return {
          messaging_product: "whatsapp",
          ...(customer?.phone == null ? { user_id: key } : { wa_id: customer.phone })
        }
      })
    ),
    read: onNumber((number) => world.stateOf(number).settings),
    update: onNumber((number, fields) => {
      updateSettings(world, number, fields)
      return success
    }),
    readCommerce: onNumber((number) => {
      const { isCartEnabled, isCatalogVisible } = world.stateOf(number).commerce
      const catalog = `9${number.businessId.slice(1)}`
      const { hasCatalog } = world.accountOf(number.businessId, false)
      const id = hasCatalog ? { id: catalog } : {}
      return { data: [{ is_cart_enabled: isCartEnabled, is_catalog_visible: isCatalogVisible, ...id }] }
    }),
    updateCommerce: onNumber((number, fields) => {
      const { commerce } = world.stateOf(number)
      const { is_cart_enabled: cart, is_catalog_visible: catalog } = fields
      if (cart !== undefined) commerce.isCartEnabled = String(cart) === "true"
      if (catalog !== undefined) commerce.isCatalogVisible = String(catalog) === "true"
      return success
    }),
    saveQrCode: onNumber(saveQrCode),
    qrCodes: onNumber((number, _, call) =>
      call.sub === ""
        ? { data: [...world.stateOf(number).qrCodes.keys()].map((code) => qrCode(number, code, undefined)) }
        : { data: [qrCode(number, qrCodeOf(number, call.sub), undefined)] }
    ),
    removeQrCode: onNumber((number, _, call) => {
      world.stateOf(number).qrCodes.delete(qrCodeOf(number, call.sub))
      return success
    }),
    automate: onNumber((number, fields) => {
      world.stateOf(number).automation = automationIn(fields)
      return success
    }),
    username: onNumber((number) => {
      const { username } = world.stateOf(number)
      return username === null ? {} : { username, status: "approved" }
    }),
    saveUsername: onNumber(saveUsername),
    removeUsername: onNumber((number) => {
      const { username } = world.stateOf(number)
      if (username !== null) events.username(number, username, "deleted")
      return success
    }),
    suggestUsernames: onNumber((number) => {
      const base = world
        .stateOf(number)
        .verifiedName.toLowerCase()
        .replaceAll(/[^a-z0-9]+/gu, "_")
      return { data: [{ username_suggestions: [base, `${base}_hq`, `${base}.official`] }] }
    }),
    saveKey: onNumber((number, fields) => {
      const key = textAt(fields["business_public_key"], "business_public_key", 2_000)
      if (!key.includes("BEGIN PUBLIC KEY")) refuse(131_009, "Param business_public_key must be a PEM key.")
      world.stateOf(number).encryptionKey = key
      return success
    }),
    readKey: onNumber((number) => {
      const { encryptionKey } = world.stateOf(number)
      return {
        data: [
          encryptionKey === null
            ? {}
            : { business_public_key: encryptionKey, business_public_key_signature_status: "VALID" }
        ]
      }
    })
  }
}
export type Settings = ReturnType<typeof makeSettings>
