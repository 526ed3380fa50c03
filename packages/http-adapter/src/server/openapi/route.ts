import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Assets } from "@parley/domain/kernel"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { ServerConfig } from "../ServerConfig.ts"
import { ApiDocument, readBundled } from "./ApiDocument.ts"

type Encoding = "br" | "gzip"

/** Quality 4 takes 16 ms of CPU for the document. The default takes seconds. */
const brotli = (bytes: Uint8Array) =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })

const compressors: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: brotli,
  gzip: promisify(gzip)
}

/** Chooses an encoding of an `Accept-Encoding` header. Null: none. */
export const encodingOf = (header = ""): Encoding | null => {
  const accepted = new Set(
    header
      .toLowerCase()
      .split(",")
      .map((part) => part.trim())
      .filter((part) => !/;\s*q=0(?:\.0*)?$/u.test(part))
      .map((part) => part.replace(/\s*;.*$/u, ""))
  )
  return accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : null
}

const shared = { "cache-control": "public, max-age=60", vary: "Accept-Encoding" }

const answerOf = (bytes: Uint8Array, encoding: Encoding | null) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: "application/json",
    headers: encoding === null ? shared : { ...shared, "content-encoding": encoding }
  })

/** Serves the contract as OpenAPI. */
export const layerOpenApi = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const document = yield* ApiDocument
    const { baseUrl } = yield* ServerConfig
    const assets = yield* Assets
    // The document of a bundle is not parsed for this.
    const text =
      assets === null
        ? Effect.map(document, (contract) => JSON.stringify(contract))
        : Effect.provide(readBundled(assets, baseUrl), NodeFileSystem.layer)
    const bytes = yield* Effect.cached(Effect.map(text, (contract) => new TextEncoder().encode(contract)))
    const make = (encoding: Encoding) =>
      bytes.pipe(
        Effect.flatMap((body) => Effect.promise(() => compressors[encoding](body))),
        Effect.map((body) => answerOf(body, encoding)),
        Effect.cached
      )
    const plain = yield* Effect.cached(Effect.map(bytes, (body) => answerOf(body, null)))
    const answers = { br: yield* make("br"), gzip: yield* make("gzip") }
    yield* router.add(
      "GET",
      "/openapi.json",
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
        const encoding = encodingOf(headers["accept-encoding"])
        return encoding === null ? plain : answers[encoding]
      })
    )
  })
).pipe(Layer.provide(ApiDocument.layer))
