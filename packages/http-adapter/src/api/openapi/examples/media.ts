import { readMedia, uploadMedia } from "@parley/domain"
import { Stream } from "effect"
import type { MediaApi } from "../../media.ts"
import type { ExamplesOf } from "./Example.ts"
import { media as file } from "./inbox.ts"

export const media: ExamplesOf<typeof MediaApi> = {
  upload: { runs: uploadMedia, request: Stream.empty, answer: file },
  download: { runs: readMedia, answer: Stream.empty }
}
