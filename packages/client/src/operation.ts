/** Content of a file upload. A stream can be read once, so a call with a stream is never repeated. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array>

/** A page of a list. */
export interface Page<Row> {
  readonly data: ReadonlyArray<Row>
  /** Continues after this page. Null at the end. */
  readonly nextCursor: string | null
}

/** The types of an operation. `Other` is its answer when `format` is not JSON. */
export interface Operation<Input, Data, Code extends string, Other = never> {
  readonly input: Input
  readonly data: Data
  readonly code: Code
  readonly other: Other
}
