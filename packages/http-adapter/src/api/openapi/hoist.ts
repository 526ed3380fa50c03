import { problemJson } from "../problem.ts"
import { type Answer, type Document, isRef, type Ref, refTo } from "./Document.ts"

type Answers = Readonly<Record<string, Answer>>
type Paths = Document["paths"]

const pascal = (code: string) => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The codes of a failure, and a suffix for each header that not every failure with these codes has. */
const nameOf = ({ content, headers }: Answer): string => {
  const codes = Object.keys(content?.[problemJson]?.examples ?? {}).map(pascal)
  const replayable = headers?.["Idempotency-Replayed"] === undefined ? "" : "Replayable"
  const unlimited = headers?.["RateLimit"] === undefined ? "Unlimited" : ""
  return `${codes.join("Or")}${replayable}${unlimited}`
}

const isFailure = (answer: Answer) => answer.content?.[problemJson] !== undefined

const mapAnswers = (paths: Paths, f: (answer: Answer) => Answer | Ref): Paths =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          {
            ...operation,
            responses: Object.fromEntries(
              Object.entries(operation.responses).map(([status, answer]) => [
                status,
                isRef(answer) ? answer : f(answer)
              ])
            )
          }
        ])
      )
    ])
  )

/** Failures that several calls have in common, said once and pointed to. */
export const hoistFailures = (paths: Paths): { readonly paths: Paths; readonly answers: Answers } => {
  const counts = new Map<string, number>()
  mapAnswers(paths, (answer) => {
    const text = JSON.stringify(answer)
    counts.set(text, (counts.get(text) ?? 0) + 1)
    return answer
  })
  const answers: Record<string, Answer> = {}
  const pointed = mapAnswers(paths, (answer) => {
    const text = JSON.stringify(answer)
    if (!isFailure(answer) || (counts.get(text) ?? 0) < 2) return answer
    const name = nameOf(answer)
    const namesake = answers[name]
    if (namesake !== undefined && JSON.stringify(namesake) !== text) throw new Error(`Two failures share ${name}.`)
    answers[name] = answer
    return refTo("responses", name)
  })
  return { paths: pointed, answers }
}
