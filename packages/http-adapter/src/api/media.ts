import { textPatterns } from "@parley/domain/kernel"
import { MediaId, MediaView, mimeTypes } from "@parley/domain/messaging"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { alsoAnswers, alsoReads, area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf } from "./shapes.ts"

/** Type of unknown files. */
export const anyType = "application/octet-stream"

const file = { schema: { type: "string", format: "binary" }, example: "Bytes of the file." } as const

const filesOf = (types: ReadonlyArray<string>) => Object.fromEntries(types.map((type) => [type, file]))

/** Files of messages. */
export class MediaApi extends HttpApiGroup.make("media")
  .add(
    HttpApiEndpoint.post("upload", "/media", {
      query: {
        filename: Schema.optionalKey(
          Schema.String.check(
            Schema.isBetweenCodePoints(1, 255, { message: "Expected 1 to 255 characters" }),
            Schema.isPattern(textPatterns.printable, { message: "Expected a name without control characters" })
          )
        ).annotateKey({ description: "File name for the contact." })
      },
      headers: {
        "content-type": Schema.String.check(
          Schema.isMaxCodePoints(200, { message: "Expected at most 200 characters" })
        ).annotateKey({ description: "Type of the file." })
      },
      payload: HttpApiSchema.StreamUint8Array({ contentType: [...mimeTypes] }),
      success: MediaView.pipe(HttpApiSchema.status(201)),
      error: [Problems.PermissionDenied, Problems.TooLarge, Problems.WrongMediaType]
    })
      .annotateMerge(
        describe(
          "uploadMedia",
          "Upload a file",
          "The body is the file, and `Content-Type` is its type: pictures up to 5 MiB, videos and audio up to 16 MiB, documents up to 100 MiB, stickers up to 500 KiB. The content must match the type. Send the file with `POST /conversations/{id}/messages` and its id; an unsent file is deleted after a week. An `Idempotency-Key` covers the whole file."
        )
      )
      .annotateMerge(alsoReads(filesOf(mimeTypes)))
      .middleware(Idempotent),
    HttpApiEndpoint.get("download", "/media/:id", {
      params: idOf(MediaId, "file"),
      success: HttpApiSchema.StreamUint8Array({ contentType: [anyType, ...mimeTypes] }),
      error: [Problems.PermissionDenied, Problems.NotFound, Problems.MediaGone, Problems.MediaUnavailable]
    })
      .annotateMerge(
        describe(
          "downloadMedia",
          "Download a file",
          "The bytes of the file, as a download. `Content-Type` is the type of the file if that type can be sent, otherwise `application/octet-stream`. A file from a contact is fetched from the chat provider on the first download. If the provider no longer has it, the file is gone."
        )
      )
      .annotateMerge(alsoAnswers(filesOf([anyType, ...mimeTypes])))
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Media", "Files of outgoing and incoming messages.")) {}
