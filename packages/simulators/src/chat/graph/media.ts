import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import type { Timeline } from "../../Timeline.ts"
import { refuse } from "../checks.ts"
import { checkUploadedFile } from "../fileRules.ts"
import { isRegistered } from "../world/NumberState.ts"
import type { Files } from "../files.ts"
import type { World } from "../World.ts"
import { type Access, unknownObject } from "./access.ts"
import { type Call, type Scripted, success } from "./Call.ts"

/** Addresses of files are valid for five minutes. */
const addressLifeMillis = 5 * 60_000

const signed = (world: World, id: string, expires: string) =>
  hash("sha256", `${id}:${expires}:${world.app.appSecret}`, "base64url").slice(0, 22)

/** The address of a file, for five minutes. */
export const fileAddress = (world: World, timeline: Timeline, id: string): string => {
  const expires = String(timeline.now() + addressLifeMillis)
  return `${world.origin}/media-files/${id}?ext=${expires}&hash=${signed(world, id, expires)}`
}

/** Files of messages. */
export const makeMedia = (world: World, timeline: Timeline, files: Files, access: Access, scripted: Scripted) => {
  const upload = Effect.fnUntraced(function* (call: Call) {
    const { request } = call
    const number = access.requireNumber(call)
    const bytes = yield* Effect.orDie(request.arrayBuffer)
    const form = yield* Effect.tryPromise(() =>
      new Response(bytes, { headers: { "content-type": request.headers["content-type"] ?? "" } }).formData()
    ).pipe(Effect.orElseSucceed(() => new FormData()))
    const file = form.get("file")
    const content = file instanceof File ? yield* Effect.promise(() => file.arrayBuffer()) : new ArrayBuffer(0)
    return yield* scripted("media", call, () => {
      if (!isRegistered(world.stateOf(number))) return refuse(133_010, "The phone number is not registered.")
      // The provider reads this parameter from the form or from the query.
      if ((form.get("messaging_product") ?? call.query.get("messaging_product")) !== "whatsapp") {
        return refuse(100, "The parameter messaging_product is required.")
      }
      const type = form.get("type")
      if (!(file instanceof File)) return refuse(131_008, "The parameter file is required.")
      if (typeof type !== "string" || type === "") return refuse(131_008, "The parameter type is required.")
      const sent = new Uint8Array(content)
      checkUploadedFile(sent, file.type, type)
      return { id: files.keepUpload(number, sent, type, file.name).id }
    })
  })

  const describe = (call: Call): object => {
    const file = access.requireFile(call, call.id)
    const phoneId = call.query.get("phone_number_id")
    if (phoneId !== null && phoneId !== file.phoneId) return unknownObject(call.id)
    return {
      messaging_product: "whatsapp",
      url: fileAddress(world, timeline, file.id),
      mime_type: file.mimeType,
      // Hexadecimal here, base64 in webhooks.
      sha256: Buffer.from(file.sha256, "base64").toString("hex"),
      file_size: file.bytes.length,
      id: file.id
    }
  }

  const download = Effect.fnUntraced(function* (call: Call) {
    const expires = call.query.get("ext") ?? ""
    const isCurrent = Number(expires) > timeline.now() && call.query.get("hash") === signed(world, call.edge, expires)
    const file = isCurrent ? access.requireFile(call, call.edge) : null
    const response = yield* scripted("media", call, () => success)
    if (response.status !== 200) return response
    return file === null
      ? HttpServerResponse.text("Not Found", { status: 404 })
      : HttpServerResponse.uint8Array(file.bytes, { contentType: file.mimeType })
  })

  return {
    upload,
    download,
    describe: (call: Call) => scripted("media", call, () => describe(call)),
    remove: (call: Call) =>
      scripted("media", call, () => {
        world.files.delete(access.requireFile(call, call.id).id)
        return success
      })
  }
}
export type Media = ReturnType<typeof makeMedia>
