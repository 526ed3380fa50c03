import { Schema } from "effect"
import { type FileId } from "../../platform/files/index.ts"

/** A file that has arrived for an import. */
export interface ContactFile {
  readonly id: FileId
  readonly size: number
}

/** The file is larger than an import may be. */
export class FileTooLarge extends Schema.TaggedError<FileTooLarge>()("FileTooLarge", { max: Schema.Int }) {
  override get message() {
    return `The file is larger than ${this.max} bytes. Divide it into several.`
  }
}
