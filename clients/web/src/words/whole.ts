/** What the server gives as a reason, as a sentence that stands by itself. */
export function whole(reason: string): string {
  const end = /[.!?…]$/.test(reason) ? '' : '.'
  return reason && `${reason[0]!.toUpperCase()}${reason.slice(1)}${end}`
}
