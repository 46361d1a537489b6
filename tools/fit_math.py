# fit_math.py - minimax fits of the polynomials in src/target/emit_math.c: prints each with its largest error.
# usage: python3 tools/fit_math.py   (needs NumPy)
import numpy as np
from numpy.polynomial import chebyshev as C, polynomial as P
np.set_printoptions(precision=17)
def fit(f, lo, hi, deg, w=None, n=4001):
    # weighted minimax by iteratively reweighted least squares (Lawson)
    k=np.arange(n); x=(lo+hi)/2+(hi-lo)/2*np.cos(np.pi*(k+.5)/n)
    y=f(x); wt=np.ones(n)/n; ww=1.0 if w is None else w(x)
    V=np.vander((x-(lo+hi)/2)/((hi-lo)/2),deg+1,increasing=True)
    for it in range(300):
        s=np.sqrt(wt)*ww
        c,*_=np.linalg.lstsq(V*s[:,None],y*s,rcond=None)
        e=np.abs((V@c-y)*ww); wt=wt*e; wt/=wt.sum()
    # convert to plain powers
    p=np.array([0.0]); base=np.array([1.0]); t=np.array([-(lo+hi)/(hi-lo),2/(hi-lo)])
    for ci in c:
        p=P.polyadd(p,ci*base); base=P.polymul(base,t)
    return p,e.max()
from math import erf,erfc
verf=np.vectorize(erf); verfc=np.vectorize(erfc)
def show(name,p,e): print(name,"err %.3g"%e); print("  {"+", ".join("%.9gF"%c if True else "" for c in p)+"}")
h=np.log(2)/2*1.0005
def g(r): # (e^r-1-r)/r^2
    return np.where(np.abs(r)<1e-3,0.5+r/6+r*r/24+r**3/120,(np.expm1(r)-r)/np.where(r==0,1,r*r))
p,e=fit(g,-h,h,4,w=lambda r:r*r/np.exp(r)); show("exp: 1+r+r^2*p(r)",p,e)
def U(x): # -log(1 - erf x) / x - 1
    with np.errstate(divide="ignore"): y=np.where(x<0.5,np.log1p(-verf(x)),np.log(verfc(x)))
    return np.where(x<1e-6,2/np.sqrt(np.pi)-1+x*2/np.pi,-y/np.where(x==0,1,x)-1)
p,e=fit(U,0,3.95,8,w=lambda x:np.where(x<1e-6,np.sqrt(np.pi)/2,x*verfc(x)/np.where(x==0,1,verf(x))),n=2001); show("erf: 1-exp(-x-x*p(x))",p,e)
def T(z):
    x=np.sqrt(z); return np.where(z<1e-6,-1/3+2/15*z,(np.tanh(x)/np.where(x==0,1,x)-1)/np.where(z==0,1,z))
for d in (3,4): 
    p,e=fit(T,0,0.625**2,d,w=lambda z:z); show("tanh x+x^3 p(x^2) deg%d"%d,p,e)
def G(f): return np.where(np.abs(f)<1e-3,1/3-f/4+f*f/5-f**3/6,(np.log1p(f)-f+f*f/2)/np.where(f==0,1,f**3))
for d in (6,7,8):
    p,e=fit(G,np.sqrt(.5)-1,np.sqrt(2)-1,d,w=lambda f:np.abs(f**3)/np.maximum(np.abs(np.log1p(f)),1e-9)); show("log deg%d"%d,p,e)
