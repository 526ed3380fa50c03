import type { Interactive } from "../../chat/index.ts"
import type { Fault } from "../../../kernel/index.ts"

const mostRows = 10

const repeated = (texts: ReadonlyArray<string>, pointerOf: (index: number) => string, what: string) =>
  texts.flatMap((text, index): ReadonlyArray<Fault> =>
    texts.indexOf(text) === index ? [] : [{ pointer: pointerOf(index), message: `Expected ${what} that no other has` }]
  )

/** What the provider would refuse of a message to tap, beyond what its schema says. */
export const interactiveFaults = (interactive: Interactive, pointer: string): ReadonlyArray<Fault> => {
  if (interactive.type === "buttons") {
    const { buttons } = interactive
    return [
      ...repeated(
        buttons.map(({ id }) => id),
        (index) => `${pointer}/buttons/${index}/id`,
        "an id"
      ),
      ...repeated(
        buttons.map(({ title }) => title),
        (index) => `${pointer}/buttons/${index}/title`,
        "a title"
      )
    ]
  }
  const { sections } = interactive
  const rows = sections.flatMap((section, at) =>
    section.rows.map(({ id }, row) => ({ id, pointer: `${pointer}/sections/${at}/rows/${row}/id` }))
  )
  return [
    ...(rows.length > mostRows
      ? [{ pointer: `${pointer}/sections`, message: `Expected at most ${mostRows} rows in all sections together` }]
      : []),
    ...(sections.length > 1
      ? sections.flatMap(({ title }, at) =>
          title === undefined
            ? [
                {
                  pointer: `${pointer}/sections/${at}/title`,
                  message: "Expected a title, as there are several sections"
                }
              ]
            : []
        )
      : []),
    ...repeated(
      rows.map(({ id }) => id),
      (index) => rows[index]?.pointer ?? pointer,
      "an id"
    )
  ]
}
