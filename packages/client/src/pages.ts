import type { Page } from "./operation.ts"

type Read<Row> = (input: object) => Promise<Page<Row>>

/** Reads a list page by page, from the cursor in the input or from the start. The feed of events has a cursor on each page; an empty page is its end. */
export const readPages = async function* <Row>(
  read: Read<Row>,
  input: object,
  field: string
): AsyncGenerator<Page<Row>> {
  let from = input
  for (;;) {
    const page = await read(from)
    yield page
    if (page.nextCursor === null || page.data.length === 0) return
    from = { ...input, [field]: page.nextCursor }
  }
}

/** Reads a list row by row. */
export const readRows = async function* <Row>(pages: AsyncIterable<Page<Row>>): AsyncGenerator<Row> {
  for await (const { data } of pages) yield* data
}
