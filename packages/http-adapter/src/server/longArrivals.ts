import type { IncomingMessage, Server } from "node:http"
import type { Duplex } from "node:stream"
import { Api } from "../api/Api.ts"
import { reflectApi } from "../api/describe.ts"
import { isFile } from "./RequestFaults.ts"
import {
  addUploadSample,
  emptyUploadRate,
  isSlow,
  isTooSlow,
  type UploadClock,
  type UploadRate,
  type UploadSettings
} from "./uploadRate.ts"

/** Paths of file uploads, which can be slow. */
const paths: ReadonlySet<string> = new Set(
  reflectApi(Api)
    .filter(({ endpoint }) => isFile(endpoint))
    .map(({ endpoint }) => endpoint.path)
)

export const bringsFile = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "POST" && paths.has(url.split(/[?#;]/, 1)[0] ?? "")

const realClock: UploadClock = {
  now: () => performance.now(),
  every: (millis, look) => {
    const timer = setInterval(look, millis).unref()
    return () => clearInterval(timer)
  }
}

/** 64 kB/s over any minute. Other requests can take a sixth of the window. */
export const uploadSettings = (within: number, differing: Partial<UploadSettings> = {}): UploadSettings => ({
  minBytesPerSecond: 64_000,
  windowMillis: within * 6,
  slowAfterMillis: within,
  maxSlowPerAddress: 8,
  addressOf: ({ socket }) => socket.remoteAddress ?? "",
  clock: realClock,
  ...differing
})

interface Upload {
  readonly request: IncomingMessage
  readonly address: string
  bytesRead: number
  rate: UploadRate
}

const looksInWindow = 60

/** A sample that is late by more intervals than this was delayed by this process. */
const maxIntervals = 2

/**
 * Lets files take as long as they need, above a minimum rate, and ends slow uploads beyond the number that an address may have. Returns whether a file
 * arrives on a socket.
 */
export const letFilesArrive = (
  listener: Server,
  settings: UploadSettings,
  end: (socket: Duplex) => void
): ((socket: Duplex) => boolean) => {
  const { addressOf, clock, maxSlowPerAddress, slowAfterMillis, windowMillis } = settings
  const uploads = new Map<Duplex, Upload>()
  const interval = windowMillis / looksInWindow
  let lookedAt = clock.now()

  const stop = (socket: Duplex) => {
    uploads.delete(socket)
    end(socket)
  }

  const look = () => {
    const now = clock.now()
    const elapsed = Math.min(now - lookedAt, maxIntervals * interval)
    lookedAt = now
    const slow = new Map<string, number>()
    for (const [socket, upload] of uploads) {
      const { bytesRead } = upload.request.socket
      // Unread bytes wait for this process.
      const millis = upload.request.readableLength > 0 ? 0 : elapsed
      upload.rate = addUploadSample(settings, upload.rate, { millis, bytes: bytesRead - upload.bytesRead })
      upload.bytesRead = bytesRead
      if (isTooSlow(settings, upload.rate)) stop(socket)
      else if (isSlow(settings, upload.rate, slowAfterMillis)) {
        const count = (slow.get(upload.address) ?? 0) + 1
        slow.set(upload.address, count)
        if (count > maxSlowPerAddress) stop(socket)
      }
    }
  }

  const watch = (request: IncomingMessage) => {
    if (!bringsFile(request)) return
    const { socket } = request
    const forget = () => void uploads.delete(socket)
    uploads.set(socket, {
      request,
      address: addressOf(request),
      bytesRead: socket.bytesRead,
      rate: emptyUploadRate
    })
    request.once("end", forget).once("close", forget)
  }
  const cease = clock.every(interval, look)
  listener.once("close", cease)
  listener.on("request", watch)
  listener.on("checkContinue", watch)
  return (socket) => uploads.has(socket)
}
