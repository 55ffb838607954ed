/** The rule that is looked up, over whatever page is open. */

import { ruleName } from '../titles/numbers'

class Lookup {
  title = $state('')
  rule = $state('')

  open(title: string, rule: string): void {
    this.title = title
    this.rule = ruleName(rule, title)
  }

  close(): void {
    this.rule = ''
  }
}

export const lookup = new Lookup()
