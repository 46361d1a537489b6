# fit_math_double.py - minimax fits of src/target/emit_math_double.c, each with its largest error.
# usage: python3 tools/fit_math_double.py   (needs mpmath)
from mpmath import mp, mpf, chebyfit, erf, erfc, exp, sqrt, pi, atan, log, sin, cos, sinh, nstr, linspace, fac
mp.dps=40
def show(name,f,a,b,n):
    c,e=chebyfit(f,[a,b],n,error=True)   # highest power first
    c=c[::-1]
    print(name,"n=%d err=%s"%(n,nstr(e,3)))
    print("  {"+", ".join(float(x).hex() for x in c)+"}")
lim=lambda f,x0: (lambda x: f(x if abs(x)>mpf(10)**-12 else mpf(10)**-12))
z=lambda f: (lambda t: f(sqrt(t)) )
h=log(2)/2*mpf('1.001')
show("exp (e^r-1-r)/r^2", lim(lambda r:(exp(r)-1-r)/r**2,0),-h,h,11)
s0=(sqrt(2)-1)/(sqrt(2)+1)
show("log: (2atanh(s)-2s)/s^3 in z=s^2", lim(lambda t:(2*mp.atanh(sqrt(t))-2*sqrt(t))/sqrt(t)**3,0),mpf(0),s0**2*mpf('1.01'),9)
p4=(pi/4*mpf('1.001'))**2
show("sin: (sin x - x)/x^3 in z", lim(lambda t:(sin(sqrt(t))-sqrt(t))/sqrt(t)**3,0),mpf(0),p4,7)
show("cos: (cos x -1 + z/2)/z^2", lim(lambda t:(cos(sqrt(t))-1+t/2)/t**2,0),mpf(0),p4,7)
t8=(sqrt(2)-1)**2*mpf('1.001')
show("atan: (atan x - x)/x^3 in z", lim(lambda t:(atan(sqrt(t))-sqrt(t))/sqrt(t)**3,0),mpf(0),t8,12)
show("sinh: (sinh x - x)/x^3 in z", lim(lambda t:(sinh(sqrt(t))-sqrt(t))/sqrt(t)**3,0),mpf(0),mpf(1.001),8)
show("erf small: erf(x)/x - 1 in z, x<=1", lim(lambda t:erf(sqrt(t))/sqrt(t)-1,0),mpf(0),mpf(1.001),14)
for n in (18,22): show("erfcx: x*erfc(x)*exp(x^2) in u=1/x, x in [1,6.25]", lambda u:erfc(1/u)*exp(1/u**2)/u,mpf(1)/mpf('6.25'),mpf(1),n)
for n in (24,26): show("erf: erf(x)/x - 1 in z, x<=2.25", lim(lambda t:erf(sqrt(t))/sqrt(t)-1,0),mpf(0),mpf('5.0630'),n)
for n in (12,14): show("erfcx: x*erfc(x)*exp(x^2) in u=1/x, x in [2.25,6.25]", lambda u:erfc(1/u)*exp(1/u**2)/u,mpf(1)/mpf('6.25'),mpf(1)/mpf('2.2499'),n)
c,e=chebyfit(lambda t:erf(t+mpf('1.625')),[mpf('-0.6251'),mpf('0.6251')],22,error=True)
print(nstr(e,3)); c=c[::-1]; print("{"+", ".join(float(x).hex() for x in c)+"}")
