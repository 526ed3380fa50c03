import type { TransferFormat } from "@parley/domain/crm"
import type { Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { mediaTypes } from "../../api/contactTransfer.ts"
import { inItsTime } from "../StorageFaults.ts"

const accepts = (request: HttpServerRequest.HttpServerRequest, mediaType: string) =>
  request.headers.accept?.toLowerCase().includes(mediaType) === true

/** Selects the format: the query parameter, else `Accept`. */
export const formatWanted = (
  request: HttpServerRequest.HttpServerRequest,
  requested: TransferFormat | undefined
): TransferFormat =>
  requested ?? (accepts(request, mediaTypes.ndjson) && !accepts(request, mediaTypes.csv) ? "ndjson" : "csv")

/** File answer of any length. */
export const asFile = (bytes: Stream.Stream<Uint8Array>, format: TransferFormat, name: string) =>
  HttpServerResponse.stream(inItsTime(bytes), {
    contentType: format === "csv" ? "text/csv; charset=utf-8" : mediaTypes.ndjson,
    headers: {
      "content-disposition": `attachment; filename="${name}.${format}"`,
      "cache-control": "no-store",
      "x-accel-buffering": "no"
    }
  })
