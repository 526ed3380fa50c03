import { Effect } from "effect"
import { hash } from "node:crypto"
import { refusePlainly } from "../checks.ts"
import type { KeptUpload, World } from "../World.ts"
import type { Access } from "./access.ts"
import { type Call, parametersOf, type Scripted } from "./Call.ts"

const types = ["application/pdf", "image/jpeg", "image/jpg", "image/png", "video/mp4"]
const maxBytes = 100 * 1_048_576

/** Resumable uploads: their handles are the examples of template headers and profile pictures. */
export const makeUploads = (world: World, access: Access, scripted: Scripted) => {
  const start = Effect.fnUntraced(function* (call: Call) {
    const token = access.tokenFor(call)
    const fields = yield* parametersOf(call)
    return yield* scripted("uploads", call, () => {
      if (token.appId !== call.id) {
        return refusePlainly(10, "(#10) The access token was not issued by this application.")
      }
      const fileLength = Number(fields["file_length"])
      const fileType = String(fields["file_type"] ?? "")
      if (!Number.isInteger(fileLength) || fileLength < 1 || fileLength > maxBytes) {
        return refusePlainly(100, "(#100) Param file_length must be the size of the file in bytes.")
      }
      if (!types.includes(fileType))
        return refusePlainly(100, `(#100) Param file_type must be one of {${types.join(", ")}}.`)
      const place = String(world.next())
      const signature = hash("sha256", `${call.id}:${place}`, "base64url").slice(0, 22)
      const session = Buffer.from(`attachment:${place.padStart(12, "0")}`).toString("base64url")
      const id = `upload:${session}?sig=${signature}`
      world.uploads.set(id, {
        id,
        appId: call.id,
        fileName: String(fields["file_name"] ?? ""),
        fileType,
        fileLength,
        handle: `4::${Buffer.from(`${fileType}:${place}`).toString("base64url")}:${fileType}:${signature}`,
        received: [],
        offset: 0
      })
      return { id }
    })
  })

  const find = (call: Call): KeptUpload => {
    const token = access.tokenFor(call)
    const upload = world.uploads.get(`${call.id}?sig=${call.query.get("sig") ?? ""}`)
    if (upload === undefined) return refusePlainly(100, "(#100) The upload session does not exist.")
    return upload.appId === token.appId
      ? upload
      : refusePlainly(10, "(#10) The access token was not issued by the application of the upload.")
  }

  const append = Effect.fnUntraced(function* (call: Call) {
    const upload = find(call)
    const bytes = new Uint8Array(yield* Effect.orDie(call.request.arrayBuffer))
    const offset = Number(call.request.headers["file_offset"] ?? "NaN")
    return yield* scripted("uploads", call, () => {
      if (offset !== upload.offset) {
        return refusePlainly(100, `(#100) The header file_offset must be ${upload.offset}.`)
      }
      if (upload.offset + bytes.length > upload.fileLength) {
        return refusePlainly(100, "(#100) The file is larger than file_length.")
      }
      upload.received = [...upload.received, bytes]
      upload.offset += bytes.length
      return upload.offset === upload.fileLength ? { h: upload.handle } : { id: upload.id, file_offset: upload.offset }
    })
  })

  return {
    start,
    append,
    progress: (call: Call) =>
      scripted("uploads", call, () => {
        const { id, offset } = find(call)
        return { id, file_offset: offset }
      }),
    /** The finished upload of a handle. */
    ofHandle: (handle: string): KeptUpload | undefined =>
      [...world.uploads.values()].find((upload) => upload.handle === handle && upload.offset === upload.fileLength)
  }
}
export type Uploads = ReturnType<typeof makeUploads>
