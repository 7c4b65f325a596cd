"""Small programs that a reader may get wrong; each begins with a line of its words."""

ATTACKS = """
# closure x param
def f(q, epsilon):
    a = max([g() for x in q])
    output(a)
def g():
    return 1
# inner g reads x
def f(q, epsilon):
    x = 5
    def g():
        return x
    noisy = [g() + laplace(1 / epsilon) for x in q]
    return max(noisy)
# inner g reads x comp 2
def f(q, epsilon):
    x = 5
    g = lambda: x
    return [g() for x in q]
# inner g reads loop x
def f(q, epsilon):
    def g():
        return x
    for x in q:
        output(g())
# lambda param shadows
def f(q, epsilon):
    x = 1
    g = lambda x: x + 1
    output(g(q[0]) + x)
# comp var leaks
def f(q, epsilon):
    x = 3
    a = [x + laplace(1) for x in q]
    output(x)
    return None
# comp var leak2
def f(q, epsilon):
    x = 3
    m = max([x for x in q])
    output(x)
    output(m)
# default arg early
def f(q, epsilon):
    y = 1
    def g(a, b=2):
        return a + b
    y = 5
    output(g(q[0]))
    output(g(q[0], y))
# default arg var
def f(q, epsilon):
    y = q[0]
    def g(a=y):
        return a
    y = 5
    output(g())
# default arg const changed
def f(q, epsilon):
    C = 1
    def g(a=C):
        return a
    C = 2
    output(g())
# chain
def f(q, epsilon):
    output(1 if 0 < q[0] < 2 else 0)
    output(1 if 0 < q[0] > 1 else 0)
# chain ne
def f(q, epsilon):
    output(1 if q[0] != 1 != q[1] else 0)
# chain eq
def f(q, epsilon):
    output(1 if q[0] == q[1] == 1 else 0)
# chain not
def f(q, epsilon):
    output(1 if not 0 < q[0] < 2 else 0)
# neg step
def f(q, epsilon):
    for i in range(3, 0, -1):
        output(i)
# range 3 args
def f(q, epsilon):
    for i in range(0, 6, 2):
        output(i)
# range start
def f(q, epsilon):
    for i in range(2, 4):
        output(i)
# range neg
def f(q, epsilon):
    for i in range(-1):
        output(i)
    output(5)
# range 0 else
def f(q, epsilon):
    for i in range(0):
        output(i)
    else:
        output(7)
# range var after
def f(q, epsilon):
    for i in range(3):
        pass
    output(i)
# range var changed
def f(q, epsilon):
    for i in range(3):
        i = i + 5
        output(i)
# range of len minus
def f(q, epsilon):
    for i in range(len(q) - 1):
        output(q[i + 1])
# slice copy
def f(q, epsilon):
    for x in q[:]:
        output(x)
# slice step
def f(q, epsilon):
    for x in q[::2]:
        output(x)
# for else
def f(q, epsilon):
    for x in q:
        if x > 1:
            break
    else:
        output(9)
    output(1)
# for else continue
def f(q, epsilon):
    for x in q:
        if x > 1:
            continue
        output(2)
    else:
        output(9)
# nested for else
def f(q, epsilon):
    for x in q:
        for k in range(2):
            if x > k:
                break
        else:
            output(k)
# break inner
def f(q, epsilon):
    for x in q:
        for k in range(3):
            if x > k:
                break
            output(k)
        output(7)
# continue inner
def f(q, epsilon):
    for x in q:
        for k in range(3):
            if x > k:
                continue
            output(k)
        output(7)
# while else
def f(q, epsilon):
    i = 0
    while i < len(q):
        i += 1
    else:
        output(3)
# while i <=
def f(q, epsilon):
    i = 0
    while i <= len(q) - 1:
        output(q[i])
        i += 1
# while break
def f(q, epsilon):
    i = 0
    while i < len(q):
        if q[i] > 0:
            break
        i += 1
    output(i)
# while q[i] moved
def f(q, epsilon):
    i = 0
    while i < len(q):
        i += 1
        output(q[i - 1])
# while k const
def f(q, epsilon):
    i = 0
    while i < 3:
        output(i)
        i += 1
# while min
def f(q, epsilon):
    i = 0
    while i < len(q) and i < 2:
        output(q[i])
        i += 1
    output(i)
# while cond first
def f(q, epsilon):
    i = 0
    while q[0] > 0 and i < len(q):
        output(i)
        i += 1
    output(i)
# walrus comp
def f(q, epsilon):
    y = 0
    a = [y := y + x for x in q]
    output(y)
# walrus if
def f(q, epsilon):
    if (y := q[0] + 1) > 1:
        output(y)
    output(y)
# walrus and
def f(q, epsilon):
    y = 0
    if q[0] > 0 and (y := 5) > 3:
        output(y)
    output(y)
# walrus while
def f(q, epsilon):
    i = 0
    while (i := i + 1) < len(q):
        output(i)
# walrus nested
def f(q, epsilon):
    output((y := q[0]) + y)
# walrus order
def f(q, epsilon):
    y = 1
    output(y + (y := 5))
# walrus tuple
def f(q, epsilon):
    return (y := q[0]), y + 1
# walrus ifexp
def f(q, epsilon):
    y = 0
    z = (y := 1) if q[0] > 0 else (y := 2)
    output(y + z)
# aug list
def f(q, epsilon):
    a = []
    b = a
    for x in q:
        a += [x]
    return b
# aug two
def f(q, epsilon):
    a, b = [], []
    for x in q:
        a.append(x)
        b.append(1)
    return a
# aug self
def f(q, epsilon):
    a = []
    for x in q:
        a.append(x)
    a += a
    return a
# a = a + a
def f(q, epsilon):
    a = []
    for x in q:
        a.append(x)
    a = a + a
    return a
# extend self
def f(q, epsilon):
    a = []
    for x in q:
        a.append(x)
    a.extend(a)
    return a
# extend gen
def f(q, epsilon):
    a = []
    a.extend(x + 1 for x in q)
    return a
# extend q
def f(q, epsilon):
    a = []
    a.extend(q)
    return a
# append len
def f(q, epsilon):
    a = []
    for x in q:
        a.append(len(a))
    return a
# append cond len
def f(q, epsilon):
    a = []
    for x in q:
        if len(a) < 2:
            a.append(x)
    return a
# list again
def f(q, epsilon):
    a = []
    a.append(1)
    a = []
    a.append(q[0])
    return a
# list mul
def f(q, epsilon):
    a = []
    a.append(q[0])
    return a * 2
# list reversed
def f(q, epsilon):
    a = []
    for x in q:
        a.append(x)
    return a[::-1]
# list cmp
def f(q, epsilon):
    a = []
    for x in q:
        if x > 0:
            a.append(1)
    output(1 if a else 0)
    output(1 if not a else 0)
# list bool arith
def f(q, epsilon):
    a = []
    for x in q:
        if x > 0:
            a.append(1)
    output(len(a) + len(q))
# star
def f(q, epsilon):
    a, *b = q
    output(a)
# star2
def f(q, epsilon):
    a, b = q[0], q[1]
    a, b = b, a
    output(a)
    output(b)
# swap three
def f(q, epsilon):
    a, b, c = 1, q[0], q[1]
    a, b, c = c, a, b
    output(a)
    output(b)
    output(c)
# nested unpack
def f(q, epsilon):
    a, (b, c) = 1, (q[0], q[1])
    output(b)
# tuple aug
def f(q, epsilon):
    a, b = q[0], 1
    a, b = a + b, a - b
    output(a)
    output(b)
# tuple same
def f(q, epsilon):
    a, a = q[0], 1
    output(a)
# chained assign
def f(q, epsilon):
    a = b = q[0]
    a += 1
    output(a)
    output(b)
# chained draw
def f(q, epsilon):
    a = b = laplace(1 / epsilon)
    output(a + q[0])
    output(b)
# chained none
def f(q, epsilon):
    a = b = None
    if q[0] > 0:
        a = 1
    output(1 if a is None else 2)
    output(1 if b is None else 2)
# zip lens
def f(q, epsilon):
    noise = [laplace(1 / epsilon) for x in q]
    for x, z in zip(q, noise):
        output(x + z)
# zip three
def f(q, epsilon):
    n1 = [laplace(1 / epsilon) for x in q]
    n2 = [laplace(1 / epsilon) for x in q]
    for x, a, b in zip(q, n1, n2):
        output(x + a)
        output(x + b)
# zip twice
def f(q, epsilon):
    noise = [laplace(1 / epsilon) for x in q]
    for x, z in zip(q, noise):
        output(x + z)
    for x, z in zip(q, noise):
        output(z)
# zip enumerate
def f(q, epsilon):
    noise = [laplace(1 / epsilon) for x in q]
    for i, (x, z) in enumerate(zip(q, noise)):
        output(x + z + i)
# noise read twice in step
def f(q, epsilon):
    noise = [laplace(1 / epsilon) for x in q]
    for i, x in enumerate(q):
        output(x + noise[i])
        output(noise[i])
# noise i+1
def f(q, epsilon):
    noise = [laplace(1 / epsilon) for x in q]
    for i, x in enumerate(q):
        output(noise[i - 1])
# gen exhaust
def f(q, epsilon):
    noisy = (x + laplace(1 / epsilon) for x in q)
    a = max(noisy)
    b = max(noisy)
    output(a)
    output(b)
# gen lazy
def f(q, epsilon):
    y = 1
    noisy = (x + y for x in q)
    y = 5
    output(max(noisy))
# list eager
def f(q, epsilon):
    y = 1
    noisy = [x + y for x in q]
    y = 5
    output(max(noisy))
# floordiv
def f(q, epsilon):
    output(q[0] // 1)
# mod neg
def f(q, epsilon):
    output(-7 % 3)
    output(-7 // 2)
    output(7 % -3)
# mod i
def f(q, epsilon):
    for i, x in enumerate(q):
        if (i - 3) % 2 == 1:
            output(i)
# pow
def f(q, epsilon):
    output(2 ** 3 ** 1)
    output(-2 ** 2)
# div int
def f(q, epsilon):
    output(7 / 2)
    output(7 // 2)
# bool arith
def f(q, epsilon):
    output((q[0] > 0) + (q[1] > 0))
    output(True + True)
# bool mul
def f(q, epsilon):
    output((q[0] > 0) * 3)
# neg bool
def f(q, epsilon):
    output(-(q[0] > 0))
    output(+(q[0] > 0))
# bool eq
def f(q, epsilon):
    a = q[0] > 0
    b = q[1] > 0
    output(1 if a == b else 0)
    output(1 if a != b else 0)
# bool lt
def f(q, epsilon):
    output((q[0] > 0) < (q[1] > 0))
# xor
def f(q, epsilon):
    a = (q[0] > 0) ^ (q[1] > 0)
    output(a)
# and value
def f(q, epsilon):
    a = q[0] and q[1]
    output(a)
# or value
def f(q, epsilon):
    output(q[0] or 5)
# or short out
def f(q, epsilon):
    def g():
        output(7)
        return 1
    if q[0] > 0 or g() > 0:
        output(1)
# and short out
def f(q, epsilon):
    def g():
        output(7)
        return 1
    if q[0] > 0 and g() > 0:
        output(1)
# ifexp out
def f(q, epsilon):
    def g():
        output(7)
        return 1
    output(g() if q[0] > 0 else 2)
# order args out
def f(q, epsilon):
    output(g(1) + g(2) * q[0])
def g(x):
    output(x)
    return x
# compare order out
def f(q, epsilon):
    output(1 if g(q[0]) < g(q[1]) else 0)
def g(x):
    output(x)
    return x
# tuple order out
def f(q, epsilon):
    return g(1), g(2)
def g(x):
    output(x)
    return x
# del
def f(q, epsilon):
    x = q[0]
    del x
    x = 1
    output(x)
# mutable default
def f(q, epsilon):
    output(h(q[0]))
    output(h(q[0]))
def h(x, a=[]):
    a.append(x)
    return len(a)
# match cap
def f(q, epsilon):
    match q[0]:
        case x:
            output(x)
# match or
def f(q, epsilon):
    y = 1 if q[0] > 0 else 2
    match y:
        case 1 | 3:
            output(1)
        case _:
            output(2)
# match neg
def f(q, epsilon):
    y = -1 if q[0] > 0 else 2
    match y:
        case -1:
            output(1)
        case 2:
            output(2)
# match true
def f(q, epsilon):
    y = q[0] > 0
    match y:
        case True:
            output(1)
        case _:
            output(2)
# match fall
def f(q, epsilon):
    y = 4
    if q[0] > 0:
        y = 1
    match y:
        case 1:
            output(1)
    output(5)
# in tuple
def f(q, epsilon):
    y = 1 if q[0] > 0 else 2
    output(1 if y in (1, 3) else 0)
    output(1 if y not in (1, 3) else 0)
# text
def f(q, epsilon):
    s = 'a'
    if q[0] > 0:
        s = 'b'
    output(s)
    output(1 if s == 'b' else 0)
# text order
def f(q, epsilon):
    s = 'a'
    if q[0] > 0:
        s = 'b'
    output(1 if s > 'a' else 0)
# text aug
def f(q, epsilon):
    s = 'a'
    for x in q:
        s += 'b'
    output(s)
# none eq
def f(q, epsilon):
    s = None
    if q[0] > 0:
        s = 1
    output(1 if s == None else 0)
    output(s)
# none truth
def f(q, epsilon):
    s = None
    if q[0] > 0:
        s = 0
    output(1 if s else 0)
# none zero
def f(q, epsilon):
    s = None
    for i, x in enumerate(q):
        if x > 0:
            s = i
    return s
# none or
def f(q, epsilon):
    s = None
    for x in q:
        if s is None or x > s:
            s = x
    output(s)
# inf
def f(q, epsilon):
    m = float('-inf')
    for x in q:
        if x > m:
            m = x
    output(m)
# inf if empty
def f(q, epsilon):
    m = float('inf')
    for x in q:
        if x > 1:
            m = min(m, x)
    output(m)
# max three
def f(q, epsilon):
    output(max(q[0], q[1], 1))
    output(min(1, q[0], q[1]))
# max key
def f(q, epsilon):
    return max(range(len(q)), key=lambda i: q[i])
# max tie
def f(q, epsilon):
    return max(range(len(q)), key=lambda i: -q[i])
# min index
def f(q, epsilon):
    return q.index(min(q))
# argmax ties
def f(q, epsilon):
    return int(np.argmax(q))
# argmax last
def f(q, epsilon):
    b = 0
    for i, x in enumerate(q):
        if x >= q[0]:
            b = i
    output(b)
# sum gen
def f(q, epsilon):
    output(sum(1 for x in q))
# sum start
def f(q, epsilon):
    output(sum([x for x in q], 5))
# sum cond
def f(q, epsilon):
    output(sum(1 for x in q if x > 0))
# any
def f(q, epsilon):
    output(any(x > 1 for x in q))
    output(all(x > 0 for x in q))
# any name
def f(q, epsilon):
    x = 5
    output(1 if any(x > 1 for x in q) else 0)
    output(x)
# next
def f(q, epsilon):
    i = next((k for k, x in enumerate(q) if x > 1), -1)
    output(i)
# next none
def f(q, epsilon):
    i = next((k for k, x in enumerate(q) if x > 1), None)
    return i
# clip
def f(q, epsilon):
    output(np.clip(q[0], 0, 1))
    output(np.clip(q[0], 2, 1))
# sign
def f(q, epsilon):
    output(np.sign(q[0]))
# abs
def f(q, epsilon):
    output(abs(q[0]) - abs(-1))
# dict
def f(q, epsilon):
    return {'b': q[0], 'a': 1}
# dict dup
def f(q, epsilon):
    return {'b': q[0], 'b': 1}
# list in list
def f(q, epsilon):
    return [q[0], [1, 2]]
# tuple out
def f(q, epsilon):
    output((q[0], 1))
    output((1, 2))
# tuple append
def f(q, epsilon):
    a = []
    for x in q:
        a.append((x, 1))
    return a
# tuple mixed
def f(q, epsilon):
    a = []
    for x in q:
        if x > 0:
            a.append((x, 1))
        else:
            a.append(2)
    return a
# yield
def f(q, epsilon):
    for x in q:
        if x > 0:
            yield x
        yield 1
# yield return
def f(q, epsilon):
    for x in q:
        if x > 1:
            return
        yield x
# yield order
def f(q, epsilon):
    y = 0
    for x in q:
        yield y
        y = x
# ret in loop
def f(q, epsilon):
    for x in q:
        if x > 1:
            return x
    return 0
# helper early
def f(q, epsilon):
    output(h(q[0]))
def h(x):
    if x > 1:
        return 1
    elif x > 0:
        x = 7
    return x
# helper loop
def f(q, epsilon):
    output(h(q[0]))
def h(x):
    for k in range(3):
        x += k
    return x
# helper none
def f(q, epsilon):
    output(h(q[0]))
def h(x):
    if x > 1:
        return 1
# helper kw
def f(q, epsilon):
    output(h(b=q[0], a=2))
def h(a, b):
    return a - b
# helper kwonly
def f(q, epsilon):
    output(h(q[0], c=2))
def h(a, *, c=3, d=4):
    return a - c * d
# helper same names
def f(q, epsilon):
    x = 1
    y = 2
    output(h(y, x))
    output(x)
    output(y)
def h(x, y):
    x = x + 10
    return x - y
# helper global name
def f(q, epsilon):
    output(h(q[0]))
Z = 3
def h(x):
    Z = x
    return Z + 1
# helper of helper
def f(q, epsilon):
    output(h(q[0], 1))
def g(a, b):
    return a - b
def h(a, b):
    return g(b, a)
# helper recursion arg
def f(q, epsilon):
    output(h(h(q[0])))
def h(a):
    if a > 1:
        return a - 1
    return a
# helper draw twice
def f(q, epsilon):
    output(h(epsilon) - h(epsilon) + q[0])
def h(e):
    return laplace(1 / e)
# helper draw arg twice
def f(q, epsilon):
    output(h(laplace(1 / epsilon)) + q[0])
def h(z):
    return z + z
# helper draw cond
def f(q, epsilon):
    output(h(q[0], laplace(1 / epsilon)))
def h(a, z):
    return z if a > 0 else 0
# param assigned
def f(q, epsilon):
    epsilon = epsilon / 2
    output(q[0] + laplace(1 / epsilon))
# param assigned loop
def f(q, epsilon):
    t = 0
    for x in q:
        t = x
        output(t)
    output(t)
# if pass
def f(q, epsilon):
    if q[0] > 0:
        pass
    else:
        output(1)
# elif
def f(q, epsilon):
    if q[0] > 1:
        output(1)
    elif q[0] > 0:
        output(2)
    else:
        output(3)
# not and
def f(q, epsilon):
    output(1 if not (q[0] > 0 and q[1] > 0) else 0)
# not or
def f(q, epsilon):
    output(1 if not q[0] > 0 or q[1] > 0 else 0)
# ann
def f(q, epsilon):
    x: float = q[0]
    y: int
    output(x)
# doc
def f(q, epsilon):
    'doc'
    output(q[0])
# ellipsis
def f(q, epsilon):
    ...
    output(q[0])
# enumerate shadow
def f(q, epsilon):
    for q0, x in enumerate(q):
        output(q0)
# loop var is after
def f(q, epsilon):
    for x in q:
        pass
    output(x)
# loop index after
def f(q, epsilon):
    for i, x in enumerate(q):
        pass
    output(i)
# loop twice
def f(q, epsilon):
    for x in q:
        output(x)
    for x in q:
        output(x + 1)
# loop var reassigned
def f(q, epsilon):
    for x in q:
        x = x + 1
        output(x)
# q index in loop
def f(q, epsilon):
    for i, x in enumerate(q):
        output(q[i] - x)
# q[0] in loop
def f(q, epsilon):
    for x in q:
        output(q[0])
# array plus
def f(q, epsilon):
    noise = np.random.laplace(0, 1 / epsilon, size=len(q))
    return np.array(q) + noise
# array minus
def f(q, epsilon):
    return np.random.laplace(0, 1 / epsilon, size=len(q)) - np.array(q)
# array times
def f(q, epsilon):
    return 2 * np.array(q)
# list times
def f(q, epsilon):
    return q * 2
# array div
def f(q, epsilon):
    return np.array(q) / 2 + 1
# array max
def f(q, epsilon):
    return np.max(np.array(q) - 1)
# array method
def f(q, epsilon):
    a = np.array(q) + 1
    return a.max()
# tolist
def f(q, epsilon):
    a = np.array(q) + 1
    return a.tolist()
# assert
def f(q, epsilon):
    assert epsilon > 0.5
    output(q[0])
# raise
def f(q, epsilon):
    if epsilon <= 0:
        raise ValueError
    output(q[0])
# coin
def f(q, epsilon):
    if bernoulli(0.25):
        output(1)
    else:
        output(0)
# coin not
def f(q, epsilon):
    output(not bernoulli(0.25))
# uniform
def f(q, epsilon):
    output(np.random.random() < 0.25)
    output(0.25 <= np.random.random())
# integers
def f(q, epsilon):
    output(integers(3) + np.random.randint(2, 5))
# lambda star
def f(q, epsilon):
    g = lambda *a: a[0]
    output(g(q[0]))
# join tuple
def f(q, epsilon):
    r = (q[0], 1)
    return r
# join max
def f(q, epsilon):
    m = max(q)
    return m + 1
# join list
def f(q, epsilon):
    r = [q[0], 1]
    return r + [2]
# join len
def f(q, epsilon):
    r = [q[0], 1]
    return len(r)
# comp rewritten
def f(q, epsilon):
    a = []
    for x in q:
        y = x + 1
        a.append(y)
    return max(a)
# comp rewritten dep
def f(q, epsilon):
    z = 0
    a = []
    for x in q:
        z = z + x
        a.append(z)
    return max(a)
# comp rewritten name
def f(q, epsilon):
    y = 7
    a = []
    for x in q:
        a.append(x + y)
    y = 9
    m = max(a)
    return m + y
# comp rewritten later change
def f(q, epsilon):
    y = 7
    a = []
    for x in q:
        a.append(x + y)
    y = 9
    return max(a)
# comp rewritten between
def f(q, epsilon):
    a = []
    output(5)
    for x in q:
        a.append(x)
    output(6)
    return max(a)
# list plus list
def f(q, epsilon):
    a = [x + laplace(1 / epsilon) for x in q]
    b = [x + laplace(1 / epsilon) for x in q]
    return a + b
# q plus list
def f(q, epsilon):
    a = [laplace(1 / epsilon) for x in q]
    return q + a
# q plus q
def f(q, epsilon):
    return q + q
# q plus list()
def f(q, epsilon):
    return q + list(q)
# list times2
def f(q, epsilon):
    a = [x + laplace(1 / epsilon) for x in q]
    return a * 2
# list times3
def f(q, epsilon):
    a = [x + laplace(1 / epsilon) for x in q]
    b = a * 2
    return max(b)
# 2 times list
def f(q, epsilon):
    return 2 * [x + laplace(1 / epsilon) for x in q]
# array plus list
def f(q, epsilon):
    a = [laplace(1 / epsilon) for x in q]
    return np.array(q) + a
# tolist times
def f(q, epsilon):
    a = (np.array(q) + laplace(1 / epsilon)).tolist()
    return a * 2
# tolist times 2
def f(q, epsilon):
    a = np.random.laplace(q, 1 / epsilon).tolist()
    return a * 2
# tolist plus
def f(q, epsilon):
    a = np.random.laplace(q, 1 / epsilon).tolist()
    return a + a
# copy plus
def f(q, epsilon):
    a = q.copy()
    return a + q
# array of list times
def f(q, epsilon):
    return np.array(q) * 2 + np.random.laplace(0, 1 / epsilon, size=len(q))
# times eps
def f(q, epsilon):
    return q * epsilon
# inner def reads comp
def f(q, epsilon):
    x = 5
    def g():
        return x
    return [g() + y for y in q]
# inner def reads comp3
def f(q, epsilon):
    x = 5
    def g(y):
        return x + y
    return [g(x) for x in q]
# inner def param comp
def f(q, epsilon):
    g = lambda x: x + 1
    return [g(x) for x in q]
# inner via inner
def f(q, epsilon):
    x = 5
    h = lambda: x
    g = lambda: h()
    return [g() for x in q]
# any closure
def f(q, epsilon):
    x = 5
    g = lambda: x
    output(any(g() > 1 for x in q))
# sum closure
def f(q, epsilon):
    x = 5
    g = lambda: x
    output(sum(g() for x in q))
# max closure
def f(q, epsilon):
    x = 5
    g = lambda: x
    output(max(g() for x in q))
# key closure
def f(q, epsilon):
    i = 1
    g = lambda k: q[0] + i
    return max(range(len(q)), key=lambda i: g(i))
# dict dup2
def f(q, epsilon):
    return {1: q[0], True: 1}
# dict ok
def f(q, epsilon):
    return {'a': q[0], 'b': 1}
# set
def f(q, epsilon):
    return {q[0], 1}
"""
