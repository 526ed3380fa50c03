import { problemJson } from "../problem.ts"
import { type Answer, type Document, isRef, type Ref, refTo } from "./Document.ts"

type Answers = Readonly<Record<string, Answer>>
type Paths = Document["paths"]

const pascal = (code: string) => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A failure is named by its codes; those that are kept for repeated calls carry a header more, and so a name of their own. */
const nameOf = ({ content, headers }: Answer): string => {
  const codes = Object.keys(content?.[problemJson]?.examples ?? {}).map(pascal)
  return codes.join("Or") + (headers?.["Idempotency-Replayed"] === undefined ? "" : "Replayable")
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
    if (!isFailure(answer) || (counts.get(JSON.stringify(answer)) ?? 0) < 2) return answer
    const name = nameOf(answer)
    answers[name] = answer
    return refTo("responses", name)
  })
  return { paths: pointed, answers }
}
