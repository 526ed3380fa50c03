// Rules of the linter that are about secrets alone.

const isSecret = (name) => /(?:secret|signature|hmac|digest|verifyToken)$/i.test(name)

/** The name of an expression, and the names of its parts: `one.signature`, `digest(one)`. */
const isNamedSecret = (node) => {
  switch (node?.type) {
    case "Identifier":
      return isSecret(node.name)
    case "MemberExpression":
      return node.property.type === "Identifier" && isSecret(node.property.name)
    case "CallExpression":
      return (
        isNamedSecret(node.callee) ||
        (node.callee.type === "MemberExpression" && isNamedSecret(node.callee.object)) ||
        isUnredacted(node)
      )
    case "ChainExpression":
    case "TSNonNullExpression":
    case "TSAsExpression":
      return isNamedSecret(node.expression)
    default:
      return false
  }
}

const isUnredacted = ({ callee }) =>
  callee.type === "MemberExpression" && callee.object.name === "Redacted" && callee.property.name === "value"

/** A check for its presence or its name reveals nothing about a secret. */
const tellsNothing = (node) =>
  node.type === "Literal" ||
  node.type === "UnaryExpression" ||
  (node.type === "Identifier" && node.name === "undefined")

const equality = new Set(["===", "!==", "==", "!="])
const searches = new Set(["includes", "indexOf", "startsWith", "endsWith", "localeCompare"])

const noPlainComparison = {
  create: (context) => {
    const report = (node) =>
      context.report({ node, message: "The time that this takes tells the secret: use timingSafeEqual." })
    return {
      BinaryExpression: (node) => {
        if (!equality.has(node.operator) || tellsNothing(node.left) || tellsNothing(node.right)) return
        if (isNamedSecret(node.left) || isNamedSecret(node.right)) report(node)
      },
      CallExpression: (node) => {
        const { arguments: said, callee } = node
        if (callee.type !== "MemberExpression" || !searches.has(callee.property.name)) return
        if (said.some(isNamedSecret)) report(node)
      }
    }
  }
}

export default { meta: { name: "secrets" }, rules: { "no-plain-comparison": noPlainComparison } }
