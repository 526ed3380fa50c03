import { hash } from "node:crypto"
import type { Timeline } from "../Timeline.ts"
import type { SimulatedNumber } from "./Options.ts"
import type { KeptFile, World } from "./World.ts"

const day = 24 * 3_600_000

/** Stores files: uploads for 30 days, files of customer messages for 7 days. */
export const makeFiles = (world: World, timeline: Timeline) => {
  const keep = (
    number: SimulatedNumber,
    bytes: Uint8Array,
    mimeType: string,
    filename: string | null,
    days: number
  ): KeptFile => {
    const file = {
      id: String(400_000_000_000_000 + world.next()),
      phoneId: number.phoneId,
      mimeType,
      filename,
      bytes,
      sha256: hash("sha256", bytes, "base64"),
      expiresAt: timeline.now() + days * day
    }
    world.files.set(file.id, file)
    return file
  }

  return {
    keepUpload: (number: SimulatedNumber, bytes: Uint8Array, mimeType: string, filename: string | null) =>
      keep(number, bytes, mimeType, filename, 30),
    keepReceived: (number: SimulatedNumber, bytes: Uint8Array, mimeType: string, filename: string | null) =>
      keep(number, bytes, mimeType, filename, 7),
    /** A file that a number can send. */
    find: (number: SimulatedNumber, id: string): KeptFile | undefined => {
      const file = world.files.get(id)
      return file?.phoneId === number.phoneId && file.expiresAt > timeline.now() ? file : undefined
    }
  }
}
export type Files = ReturnType<typeof makeFiles>
